import { setTimeout as pause } from 'node:timers/promises'
import { StartupError } from '#config/env'
import { runInBackground } from '#db/client'
import { isDatabaseUnavailable } from '#db/errors'
import { explainConnectError, isRefusal } from '#db/explain-errors'
import { log } from '#log/log'

/** For a PostgreSQL that starts at the same time, or a table that is locked for a moment. */
export const startTimeoutMs = 30_000

const intervalMs = 500

/** Until the server responds. One line says what the start waits for. */
export async function waitForServer<Result>(
  attempt: () => Promise<Result>,
  setting: string,
  deadline: number,
): Promise<Result> {
  return retryUntil(deadline, setting, 'the database', async () => {
    try {
      return await attempt()
    } catch (error) {
      if (isDatabaseUnavailable(error) && !isRefusal(error)) throw error
      const { problem, remedy } = explainConnectError(error, setting)
      throw new StartupError(`${problem} ${remedy}`)
    }
  })
}

/**
 * Until a table is neither locked nor slow. The first attempt has the limits of a request, so that the
 * line comes soon; the others have those of background work.
 */
export async function waitForTable<Result>(
  table: string,
  work: () => Promise<Result>,
  timeoutMs = startTimeoutMs,
): Promise<Result> {
  const deadline = performance.now() + timeoutMs
  let attempts = 0
  return retryUntil(deadline, 'DATABASE_URL', `the table ${table}`, () => {
    attempts += 1
    return attempts === 1 ? work() : runInBackground(work)
  })
}

async function retryUntil<Result>(
  deadline: number,
  setting: string,
  subject: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      const { problem, remedy } = explainConnectError(error, setting)
      if (performance.now() > deadline) throw new StartupError(`${problem} ${remedy}`)
      if (waits === 0) log().warn(`waiting for ${subject}. ${problem}`)
      await pause(intervalMs)
    }
  }
}
