import { defineCursor, timestampKey } from 'plinth/db/list'
import { z } from 'zod'
import { emptyChoice } from '../fields'
import { timeZoneField } from '../time-zone'

/** As a date field sends it. PostgreSQL has no year 0. */
const dayField = z.iso.date().regex(/^(19|2\d)/, 'Choose a day after 1900.')

/** A form sends an empty string for a field that was not filled in. */
export const auditFilter = z.object({
  action: z.union([emptyChoice, z.string().regex(/^\w{1,60}$/)]).optional(),
  outcome: z.union([emptyChoice, z.enum(['success', 'failure', 'denied'])]).optional(),
  /** A name or a part of it, an email or a user id. */
  user: z
    .string()
    .trim()
    .max(300)
    .transform((text) => text || undefined)
    .optional(),
  from: z.union([emptyChoice, dayField]).optional(),
  to: z.union([emptyChoice, dayField]).optional(),
  /** In which the days are; UTC by default. */
  timeZone: z.union([emptyChoice, timeZoneField]).optional(),
})

export type AuditFilter = z.output<typeof auditFilter>

export const { cursorField: eventCursorField, encodeCursor: encodeEventCursor } = defineCursor(
  z.object({ key: timestampKey, id: z.string().regex(/^\d{1,15}$/) }),
)

export function isUuid(text: string): boolean {
  return z.uuid().safeParse(text).success
}
