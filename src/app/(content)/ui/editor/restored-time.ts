/** With the day, if it is not today. */
export function restoredTime(timestamp: number): string {
  const at = new Date(timestamp)
  const isToday = at.toDateString() === new Date().toDateString()
  return at.toLocaleString([], {
    ...(isToday ? {} : { dateStyle: 'medium' }),
    timeStyle: 'short',
  })
}
