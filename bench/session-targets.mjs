import { medianRatio } from './rounds.mjs'

/** Subject, reference, and the minimum ratio of their requests per second within a round. */
const targets = [
  ['cookie', 'bareCookie', 0.6],
  ['cookie', 'authjs', 25],
  ['cookie', 'betterAuth', 40],
  ['cookie', 'express', 10],
  ['bearer', 'bareBearer', 0.6],
  ['bearer', 'authjs', 25],
  ['bearer', 'betterAuth', 40],
  ['bearer', 'express', 10],
  ['anonymous', 'bare', 0.65],
  ['uncached', 'hono', 0.9],
  ['embedded', 'bareCookie', 0.55],
]

export function checkTargets(rounds, subjects) {
  return targets.map(([name, reference, minRatio]) => {
    const ratio = medianRatio(rounds, name, reference)
    return {
      target: `${subjects[name].label} ≥ ${minRatio} × ${subjects[reference].label}`,
      measured: `${ratio.toFixed(2)} ×`,
      met: ratio >= minRatio,
    }
  })
}
