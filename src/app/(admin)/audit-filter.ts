import { z } from 'zod'
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

/** The last event of the previous page. */
export type EventCursor = { at: Date; id: number }

export const eventCursor = z
  .string()
  .regex(/^\d{1,14}_\d{1,15}$/)
  .transform((text): EventCursor => {
    const [time, id] = text.split('_').map(Number)
    return { at: new Date(time ?? 0), id: id ?? 0 }
  })

export function encodeEventCursor({ at, id }: EventCursor): string {
  return `${at.getTime()}_${id}`
}

export function auditSearchParams({
  action,
  outcome,
  user,
  from,
  to,
}: AuditFilter): URLSearchParams {
  const day = (date: Date | undefined) => date?.toISOString().slice(0, 10)
  const fields = { action, outcome, user, from: day(from), to: day(to) }
  const params = Object.entries(fields).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  )
  return new URLSearchParams(params)
}

export function isUuid(text: string): boolean {
  return z.uuid().safeParse(text).success
}
