import { vi } from 'vitest'
import { connection } from '#db/client'
import { onPostgres } from '#testing/database/database'

/** Call it before anything is counted: the counts in memory are then as old as the test wants. */
export function controlLimitTime(): void {
  if (!onPostgres) vi.useFakeTimers({ toFake: ['performance'] })
}

/** The counts get older by this time. */
export async function passLimitTime(ms: number): Promise<void> {
  if (onPostgres) await connection().query('update rate_limits set expire = expire - $1', [ms])
  else vi.advanceTimersByTime(ms)
}
