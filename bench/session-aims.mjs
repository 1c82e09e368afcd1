import { medianRatio } from './rounds.mjs'

/** How many times as many requests a second as another subject in the same round. */
const aims = [
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

export function judge(rounds, subjects) {
  return aims.map(([name, against, atLeast]) => {
    const ratio = medianRatio(rounds, name, against)
    return {
      aim: `${subjects[name].label} ≥ ${atLeast} × ${subjects[against].label}`,
      measured: `${ratio.toFixed(2)} ×`,
      reached: ratio >= atLeast,
    }
  })
}
