/** A path with the query fields that have a value. */
export function urlWith(
  path: string,
  fields: Readonly<Record<string, string | undefined>>,
): string {
  const set = Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return set.length > 0 ? `${path}?${new URLSearchParams(set)}` : path
}
