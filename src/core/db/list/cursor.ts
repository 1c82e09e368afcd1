import 'server-only'
import { z } from 'zod'

/** A row of a list, from which the page after or before it is read. */
export type Cursor = {
  direction: 'next' | 'previous'
  /** The value that the list is sorted by, as text. */
  key: string
  id: string
}

/** The year 0 exists in JavaScript but not in PostgreSQL. */
export const timestampKey = z.iso.datetime({ precision: 3 }).regex(/^(?!0000)/)

/** PostgreSQL rejects the null character. */
export const textKey = z
  .string()
  .max(300)
  .regex(/^[^\0]*$/)

/** A cursor as text, opaque to clients. `row` validates the key, the id and what else it contains. */
export function defineCursor<Row extends Omit<Cursor, 'direction'>>(row: z.ZodType<Row>) {
  const cursor = z.object({ direction: z.enum(['next', 'previous']) }).and(row)
  const cursorField = z
    .string()
    .max(1000)
    .regex(/^[\w-]+$/)
    .transform((text, context) => {
      const checked = cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
      if (checked.success) return checked.data
      context.addIssue({ code: 'custom', message: 'Invalid cursor.' })
      return z.NEVER
    })
  const encodeCursor = (value: z.output<typeof cursor>): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url')
  return { cursorField, encodeCursor }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
