import { setTimeout as pause } from 'node:timers/promises'
import { print } from '../../packages/plinth/scripts/terminal.mjs'

const recoveryTimeoutMs = 60_000

/** Runs one event after another under the load. Each ends when every client succeeds again. */
export async function runEvents(events, context) {
  const { journal } = context
  const allWork = () => waitUntilAllWork(journal)
  await allWork()
  const results = []
  for (const event of events) {
    const from = performance.now()
    const { killedAt } = (await event.run({ ...context, allWork })) ?? {}
    const mendedAt = performance.now()
    const stuck = await allWork()
    const to = performance.now()
    results.push({ ...event, from, mendedAt, to, killedAt, stuck })
    print(`  ${event.name}: ${((to - from) / 1000).toFixed(1)} s`)
  }
  return results
}

/** One success of every client from now on. Returns those that do not succeed any more. */
async function waitUntilAllWork(journal) {
  const from = performance.now()
  const clients = new Set(journal.samples.map(({ client }) => client))
  let missing = []
  while (performance.now() < from + recoveryTimeoutMs) {
    const since = journal.samples.filter(({ at, outcome }) => at >= from && outcome === 'ok')
    const succeeding = new Set(since.map(({ client }) => client))
    missing = [...clients].filter((name) => !succeeding.has(name))
    if (clients.size > 0 && missing.length === 0) return []
    await pause(100)
  }
  return missing
}
