/** Set by `npm run test:nightly`. */
export const nightly = process.env.NIGHTLY === 'true'

/** A race is repeated this often at night, and a tenth of that in CI. */
export function repetitions(count: number): number {
  return nightly ? count : Math.ceil(count / 10)
}

/** The step through a long list: each item at night, every third in CI, every ninth with `npm test`. */
export const sampleStep = nightly ? 1 : process.env.CI === 'true' ? 3 : 9

/** A sample that is the same in every run. */
export function everyNth<Item>(items: readonly Item[], step: number): Item[] {
  return items.filter((_, index) => index % step === 0)
}
