import { isConnectionLost, isDatabaseUnavailable } from '#db/errors'
import { type CurrentRequest, currentRequest } from '#log/current-request'

/** How long a request has waited for the database, over all of its statements. */
type Wait = { running: number; since: number; spentMs: number; lost: unknown }

/** So that a process that was busy itself does not give up on a database that responds. */
const minStatementMs = 200

const waits = new WeakMap<CurrentRequest, Wait>()

/**
 * Runs something that waits for the database and passes it the time that is left. A request shares
 * one limit among all of its statements, so that it responds in time however many there are. After
 * it has lost the database, its other statements fail without waiting.
 */
export async function withinDeadline<Result>(
  limitMs: number,
  work: (remainingMs: number) => Promise<Result>,
): Promise<Result> {
  const wait = currentWait()
  if (!wait) return work(limitMs)
  if (wait.lost) throw wait.lost
  if (wait.running === 0) wait.since = performance.now()
  const spentMs = wait.spentMs + performance.now() - wait.since
  wait.running += 1
  try {
    return await work(Math.max(limitMs - spentMs, minStatementMs))
  } catch (error) {
    noteFailure(error)
    throw error
  } finally {
    wait.running -= 1
    if (wait.running === 0) wait.spentMs += performance.now() - wait.since
  }
}

/** Called with the errors of statements. */
export function noteFailure<Failure>(error: Failure): Failure {
  const request = currentRequest()
  if (request && isDatabaseUnavailable(error)) request.databaseUnavailable = true
  const wait = currentWait()
  if (wait && isConnectionLost(error)) wait.lost = error
  return error
}

/** @public For streams of modules: each batch has the whole limit. */
export function restartDeadline(): void {
  const wait = currentWait()
  if (!wait) return
  wait.spentMs = 0
  wait.since = performance.now()
}

function currentWait(): Wait | undefined {
  const request = currentRequest()
  if (!request) return undefined
  const known = waits.get(request)
  if (known) return known
  const wait: Wait = { running: 0, since: 0, spentMs: 0, lost: undefined }
  waits.set(request, wait)
  return wait
}

/**
 * Calls back after the time, and after what has arrived by then was handled: a process that was
 * stopped or busy must not take its own delay for that of the database. Returns how to cancel.
 */
export function startTimer(ms: number, expire: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    immediate = setImmediate(expire)
  }, ms)
  return () => {
    clearTimeout(timer)
    clearImmediate(immediate)
  }
}
