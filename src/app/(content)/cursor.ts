import { z } from 'zod'

/** The timestamp in milliseconds and the id of the last article of the previous page. */
export const cursorField = z
  .string()
  .regex(/^\d{1,14}_[0-9a-f-]{36}$/)
  .transform((text) => {
    const [time, id = ''] = text.split('_')
    return { at: new Date(Number(time)), id }
  })
  .pipe(z.object({ at: z.date(), id: z.uuid() }))

export function encodeCursor({ at, id }: { at: Date; id: string }): string {
  return `${at.getTime()}_${id}`
}
