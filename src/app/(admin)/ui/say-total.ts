/** "1 person", "12,345 people", "more than 1,000 people". */
export function sayTotal(
  { count, exact }: { count: number; exact: boolean },
  one: string,
  many: string,
): string {
  const shown = `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`
  return exact ? shown : `More than ${shown}`
}
