/** "1 user", "12,345 users", "More than 1,000 users". */
export function totalLabel(
  { count, exact }: { count: number; exact: boolean },
  singular: string,
  plural: string,
): string {
  const label = `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`
  return exact ? label : `More than ${label}`
}
