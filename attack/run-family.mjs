import { Skip } from './verdict.mjs'

const timeoutMs = 120_000

/**
 * An attack has a `name`, says in `bypass` what would be wrong, and is performed by `run`. `full`
 * marks those that the short run leaves out.
 */
export async function runFamily(name, attacks, target) {
  const started = performance.now()
  const results = []
  for (const attack of attacks) {
    results.push({ name: attack.name, bypass: attack.bypass, ...(await perform(attack, target)) })
  }
  return { name, results, milliseconds: performance.now() - started }
}

async function perform({ run, full }, target) {
  if (full && target.quick) return { outcome: 'skipped', reason: 'in the full run only' }
  try {
    const { evidence, ...result } = await withTimeout(run(target))
    return { outcome: evidence.length > 0 ? 'bypassed' : 'held', evidence, ...result }
  } catch (error) {
    if (error instanceof Skip) return { outcome: 'skipped', reason: error.message }
    // Whether the application holds is unknown then, which must not pass as held.
    return { outcome: 'bypassed', cases: 0, evidence: [`Not completed: ${error.stack}`] }
  }
}

async function withTimeout(work) {
  let timer
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No result after ${timeoutMs / 1000} s`)), timeoutMs)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
