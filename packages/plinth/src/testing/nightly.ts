/** Set by `npm run test:nightly`. */
export const nightly = process.env.NIGHTLY === 'true'

/** A race is repeated this often at night, and a tenth of that in CI. */
export function repetitions(count: number): number {
  return nightly ? count : Math.ceil(count / 10)
}

const takesAll = nightly && process.env.TEST_DATABASE !== 'embedded'

/**
 * The step through a long list: each item at night, on PostgreSQL if the test has a database; every
 * third in CI and every ninth with `npm test`.
 */
export const sampleStep = takesAll ? 1 : process.env.CI === 'true' ? 3 : 9

/** A sample that is the same in every run. */
export function everyNth<Item>(items: readonly Item[], step: number): Item[] {
  return items.filter((_, index) => index % step === 0)
}
