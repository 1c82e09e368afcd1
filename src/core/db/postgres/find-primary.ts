import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { isReadOnly } from '@/core/db/errors'
import { askServer, isOlder, type ServerState } from '@/core/db/postgres/server-state'

export type Host = { url: string; name: string }

type Found = { host: Host; state: ServerState }

/** How long a host may take before the others are asked, or a faster one is taken. */
export const headStartMs = 250

/** Below the time in which a new primary must be found, as a host that is silent takes all of it. */
const askTimeoutMs = 2_000

/**
 * Asks all hosts beside each other and waits for all, or after the head start for the first. Of those
 * that may be used the one with the newest timeline wins, then the one that comes first.
 */
export async function findPrimary(
  hosts: readonly Host[],
  rejectUnusable: (state: ServerState) => void,
): Promise<Found> {
  const found: Found[] = []
  const asked = hosts.map(async (host) => {
    const state = await askServer(host.url, askTimeoutMs)
    rejectUnusable(state)
    found.push({ host, state })
  })
  const all = Promise.allSettled(asked)
  const soon = pause(headStartMs).then(() => Promise.any(asked).catch(() => all))
  await Promise.race([all, soon])
  found.sort((a, b) => hosts.indexOf(a.host) - hosts.indexOf(b.host))
  const best = found.find(({ state }) => !found.some((other) => isOlder(state, other.state)))
  if (!best) throw failureOf(await all)
  return best
}

/** A host that takes no writes says less than one that should and cannot be reached. */
function failureOf(results: PromiseSettledResult<unknown>[]): unknown {
  const reasons = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  )
  return reasons.find((reason) => !isReadOnly(reason)) ?? reasons[0]
}
