/** Whether the page is fetched before the user opens it. */
export function isPrefetch(header: (name: string) => unknown): boolean {
  return names.some((name) => Boolean(header(name)))
}

const names = [
  'next-router-prefetch',
  'next-router-segment-prefetch',
  // Sent by browsers.
  'sec-purpose',
  'purpose',
]
