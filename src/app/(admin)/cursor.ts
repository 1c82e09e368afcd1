import { z } from 'zod'
import { type Sort, sorts } from './fields'

/** Behind whom a page begins: the value that the list is sorted by, and who it is. */
export type Cursor = { sort: Sort; key: string; id: string }

const parts = z.tuple([z.enum(sorts), z.string().max(300), z.uuid()])

/** In an address: three values that mean something to nobody else. */
export const cursorField = z
  .string()
  .max(1000)
  .regex(/^[\w-]+$/)
  .transform((text, context): Cursor => {
    const checked = parts.safeParse(parsed(Buffer.from(text, 'base64url').toString()))
    if (checked.success && isKey(checked.data[0], checked.data[1])) {
      const [sort, key, id] = checked.data
      return { sort, key, id }
    }
    context.addIssue({ code: 'custom', message: 'This is not a cursor that was given out here.' })
    return z.NEVER
  })

export function cursorText({ sort, key, id }: Cursor): string {
  return Buffer.from(JSON.stringify([sort, key, id])).toString('base64url')
}

/** Whose value the database could not compare would end in an error of the query. */
function isKey(sort: Sort, key: string): boolean {
  return sort === 'name' || sort === 'email' ? !key.includes('\0') : isMoment(key)
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
