import { z } from 'zod'
import { type Sort, sorts } from './fields'

/** The last user of the previous page: the sort value and the id. */
export type Cursor = { sort: Sort; key: string; id: string }

const parts = z.tuple([z.enum(sorts), z.string().max(300), z.uuid()])

/** Opaque to clients. */
export const cursorField = z
  .string()
  .max(1000)
  .regex(/^[\w-]+$/)
  .transform((text, context): Cursor => {
    const checked = parts.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
    if (checked.success && isKey(checked.data[0], checked.data[1])) {
      const [sort, key, id] = checked.data
      return { sort, key, id }
    }
    context.addIssue({ code: 'custom', message: 'Invalid cursor.' })
    return z.NEVER
  })

export function encodeCursor({ sort, key, id }: Cursor): string {
  return Buffer.from(JSON.stringify([sort, key, id])).toString('base64url')
}

/** Rejects values that would make the query fail. */
function isKey(sort: Sort, key: string): boolean {
  return sort === 'name' || sort === 'email' ? !key.includes('\0') : isTimestamp(key)
}

function isTimestamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
