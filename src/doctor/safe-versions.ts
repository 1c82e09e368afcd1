/**
 * As of 15 November 2026: for each Node release line the first version without a published
 * vulnerability (https://nodejs.org/en/blog/vulnerability) and its end of life.
 */
export const nodeReleases = [
  { major: 20, safe: '20.20.2', endOfLife: '2026-04-30' },
  { major: 22, safe: '22.23.4', endOfLife: '2027-04-30' },
  { major: 24, safe: '24.22.1', endOfLife: '2028-04-30' },
  { major: 26, safe: '26.12.1', endOfLife: '2029-04-30' },
]

export const recommendedNode = 24

/** See https://github.com/vercel/next.js/security/advisories. */
export const firstSafeNext = '16.4.6'
