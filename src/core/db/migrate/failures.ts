import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { StartupError } from '@/core/config/env'
import { sqlState } from '@/core/db/errors'
import type { Migration } from '@/core/db/migrate/plan'
import { explainMigrationError } from '@/core/db/startup-errors'

/** Lock not available, deadlock. */
const lockStates = new Set(['55P03', '40P01'])

type Locked = { name: string; outcome: string }

const firstPauseMs = 250
const maxPauseMs = 8_000

/**
 * Requests wait behind a statement that waits for a lock. So a migration gives up soon, lets them
 * pass, and tries again.
 */
export async function retryLocks<Result>(
  migration: Locked,
  waitMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + waitMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      return await work()
    } catch (error) {
      if (!lockStates.has(sqlState(error) ?? '')) throw error
      if (performance.now() + pauseMs > deadline) throw lockedError(migration, waitMs, error)
      await pause(pauseMs)
    }
  }
}

function lockedError({ name, outcome }: Locked, waitMs: number, cause: unknown): StartupError {
  return new StartupError(
    `Migration ${name} failed: other transactions have held the locks that it needs for ${waitMs / 1000} seconds. End them: pg_stat_activity lists them by xact_start. ${outcome}`,
    { cause },
  )
}

type Failing = {
  name: string
  /** None was applied before. */
  isFirst: boolean
  /** A sentence about the state of the database. */
  outcome: string
}

/** Names the migration in its errors, with a remedy. */
export async function explained<Result>(
  { name, isFirst, outcome }: Failing,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const explanation = explainMigrationError(error, isFirst)
    if (!explanation) throw error
    const { problem, remedy } = explanation
    throw new StartupError(`Migration ${name} failed: ${problem} ${remedy} ${outcome}`, {
      cause: error,
    })
  }
}

export function outcomeOf({ transaction }: Migration): string {
  const kept = transaction === 'batch' ? 'Earlier batches are kept.' : 'Nothing of it was changed.'
  return `${kept} The next run continues with it.`
}
