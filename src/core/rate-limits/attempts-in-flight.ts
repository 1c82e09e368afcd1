import 'server-only'
import { limiterFor } from '@/core/rate-limits/rate-limit'

/** Longer than an attempt takes. */
const slotSeconds = 5

/** Only counts: the caller decides how many are too many. */
const counter = () => limiterFor('in-flight', { times: 1, seconds: 2 * slotSeconds })

/**
 * Counts an attempt until it ends, in all instances. Counts belong to a slot of time, and those of
 * the last two slots are valid. So attempts of a process that died are forgotten after seconds, and
 * an attempt that ends late does not lower a later count.
 */
export async function startAttempt(
  key: string,
): Promise<{ inFlight: number; end(): Promise<unknown> }> {
  const slot = Math.floor(Date.now() / 1000 / slotSeconds)
  const current = `${key} ${slot}`
  const [{ consumedPoints }, previous] = await Promise.all([
    counter().penalty(current),
    counter().get(`${key} ${slot - 1}`),
  ])
  return {
    inFlight: consumedPoints + Math.max(0, previous?.consumedPoints ?? 0),
    end: () => counter().reward(current),
  }
}
