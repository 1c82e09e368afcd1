const length = 24 * 60 * 60 * 1000

/** The last so many days up to today, in UTC, as dates are written. */
export function lastDays(count: number, now = new Date()): string[] {
  const today = Date.parse(`${dayOf(now)}T00:00:00Z`)
  return Array.from({ length: count }, (_, index) =>
    dayOf(new Date(today - (count - 1 - index) * length)),
  )
}

export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
