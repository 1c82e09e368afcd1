import 'server-only'

/** The rows of `execute()`: PGlite returns an object with rows, postgres.js the rows themselves. */
export function rowsOf<Row>(result: unknown): readonly Row[] {
  return Array.isArray(result) ? result : (result as { rows: readonly Row[] }).rows
}
