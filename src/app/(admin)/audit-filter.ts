import { z } from 'zod'
import { nothingChosen } from './fields'

/** A day in UTC, as a date field sends it. */
const dayField = z.iso.date().transform((day) => new Date(`${day}T00:00:00.000Z`))

/** Also without anything chosen, which is what a form sends for a field that was left alone. */
export const auditFilter = z.object({
  action: z.union([nothingChosen, z.string().regex(/^\w{1,60}$/)]).optional(),
  outcome: z.union([nothingChosen, z.enum(['success', 'failure', 'denied'])]).optional(),
  /** An address or an id. */
  person: z
    .string()
    .trim()
    .max(300)
    .transform((text) => text || undefined)
    .optional(),
  from: z.union([nothingChosen, dayField]).optional(),
  to: z.union([nothingChosen, dayField]).optional(),
})

export type AuditFilter = z.output<typeof auditFilter>

/** Behind which event a page begins. */
export type EventCursor = { at: Date; id: number }

export const eventCursor = z
  .string()
  .regex(/^\d{1,14}_\d{1,15}$/)
  .transform((text): EventCursor => {
    const [moment, id] = text.split('_').map(Number)
    return { at: new Date(moment ?? 0), id: id ?? 0 }
  })

export function eventCursorText({ at, id }: EventCursor): string {
  return `${at.getTime()}_${id}`
}

/** As an address has it. */
export function auditQuery({ action, outcome, person, from, to }: AuditFilter): URLSearchParams {
  const day = (date: Date | undefined) => date?.toISOString().slice(0, 10)
  const fields = { action, outcome, person, from: day(from), to: day(to) }
  const given = Object.entries(fields).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  )
  return new URLSearchParams(given)
}

export function isId(text: string): boolean {
  return z.uuid().safeParse(text).success
}
