/**
 * As known on 15 November 2026: of each line of Node, the first release without a hole that was
 * published (https://nodejs.org/en/blog/vulnerability), and the day on which its support ends.
 */
export const nodeLines = [
  { major: 20, safe: '20.20.2', until: '2026-04-30' },
  { major: 22, safe: '22.23.4', until: '2027-04-30' },
  { major: 24, safe: '24.22.1', until: '2028-04-30' },
  { major: 26, safe: '26.12.1', until: '2029-04-30' },
]

/** The line to take if in doubt. */
export const recommendedNode = 24

/** Earlier ones are in https://github.com/vercel/next.js/security/advisories. */
export const firstSafeNext = '16.4.6'
