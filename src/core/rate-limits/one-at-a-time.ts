import 'server-only'
import { singleton } from '@/core/config/singleton'

/**
 * Runs the work of one key in the order of its arrival. Each attempt then sees the failures of those
 * before it, so that a burst gets exact limits and times to wait.
 */
export async function oneAtATime<Result>(
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const last = lastOf()
  const previous = last.get(key)
  const current = previous ? previous.then(work) : work()
  const settled = current.then(ignore, ignore)
  last.set(key, settled)
  try {
    return await current
  } finally {
    if (last.get(key) === settled) last.delete(key)
  }
}

const lastOf = () => singleton('limits.one-at-a-time', () => new Map<string, Promise<void>>())

function ignore(): void {}
