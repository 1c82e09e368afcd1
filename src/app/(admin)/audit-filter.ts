import { z } from 'zod'
import { defineCursor, timestampKey } from '@/core/db/list/cursor'
import { emptyChoice } from './fields'

/** A day in UTC, as a date field sends it. */
const dayField = z.iso.date().transform((day) => new Date(`${day}T00:00:00.000Z`))

/** A form sends an empty string for a field that was not filled in. */
export const auditFilter = z.object({
  action: z.union([emptyChoice, z.string().regex(/^\w{1,60}$/)]).optional(),
  outcome: z.union([emptyChoice, z.enum(['success', 'failure', 'denied'])]).optional(),
  /** An email or a user id. */
  user: z
    .string()
    .trim()
    .max(300)
    .transform((text) => text || undefined)
    .optional(),
  from: z.union([emptyChoice, dayField]).optional(),
  to: z.union([emptyChoice, dayField]).optional(),
})

export type AuditFilter = z.output<typeof auditFilter>

export const { cursorField: eventCursorField, encodeCursor: encodeEventCursor } = defineCursor(
  z.object({ key: timestampKey, id: z.string().regex(/^\d{1,15}$/) }),
)

/** The filter as the form and the URL have it. */
export function filterFields({ action, outcome, user, from, to }: AuditFilter) {
  const day = (date: Date | undefined) => date?.toISOString().slice(0, 10)
  return { action, outcome, user, from: day(from), to: day(to) }
}

export function isUuid(text: string): boolean {
  return z.uuid().safeParse(text).success
}
