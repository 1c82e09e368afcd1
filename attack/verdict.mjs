/** Thrown by an attack that cannot be performed here. */
export class Skip extends Error {}

/** Every attack returns this. It held if there is no evidence of a bypass. */
export function verdict(cases, evidence) {
  return { cases, evidence }
}

/**
 * Performs every case, `concurrency` at a time. `attempt` returns what went wrong, or nothing if the
 * application held.
 */
export async function tryAll(cases, attempt, concurrency = 4) {
  const waiting = [...cases]
  const evidence = []
  async function work() {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const found = await attempt(next)
      if (found) evidence.push(found)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return verdict(cases.length, evidence)
}

export function combine(verdicts) {
  return verdict(
    verdicts.reduce((sum, { cases }) => sum + cases, 0),
    verdicts.flatMap(({ evidence }) => evidence),
  )
}

/** Shows that the attack would be noticed: the same request does work for a caller who may send it. */
export function control(worked, description) {
  if (!worked) throw new Error(`The control failed, so the attack proves nothing: ${description}`)
}
