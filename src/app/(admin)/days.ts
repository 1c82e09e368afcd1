const dayMs = 24 * 60 * 60 * 1000

/** The last `count` days up to today, in UTC, as YYYY-MM-DD. */
export function lastDays(count: number, now = new Date()): string[] {
  const today = Date.parse(`${utcDay(now)}T00:00:00Z`)
  return Array.from({ length: count }, (_, index) =>
    utcDay(new Date(today - (count - 1 - index) * dayMs)),
  )
}

export function utcDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}
