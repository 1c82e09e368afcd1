import { isConnectionLost } from '#db/errors'

/** The error with which the database was lost, if it was. */
type Settled = { lost?: unknown }

/**
 * Runs the work of one key in the order of its arrival. Each attempt then sees the failures of those
 * before it, so that a burst gets exact limits and times to wait. If an attempt loses the database,
 * those that wait fail with it: each would wait for the database in turn.
 */
export async function oneAtATime<Result>(
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const previous = last.get(key)
  const current = previous ? previous.then((settled) => runAfter(settled, work)) : work()
  const settled = current.then(
    () => ({}),
    (error: unknown) => (isConnectionLost(error) ? { lost: error } : {}),
  )
  last.set(key, settled)
  try {
    return await current
  } finally {
    if (last.get(key) === settled) last.delete(key)
  }
}

const last = new Map<string, Promise<Settled>>()

async function runAfter<Result>({ lost }: Settled, work: () => Promise<Result>): Promise<Result> {
  if (lost) throw lost
  return work()
}
