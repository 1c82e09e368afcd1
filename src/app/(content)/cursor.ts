import { z } from 'zod'

/** In an address: the moment in milliseconds and the id of the last one shown. */
export const cursorField = z
  .string()
  .regex(/^\d{1,14}_[0-9a-f-]{36}$/)
  .transform((text) => {
    const [moment, id = ''] = text.split('_')
    return { at: new Date(Number(moment)), id }
  })
  .pipe(z.object({ at: z.date(), id: z.uuid() }))

export function cursorOf({ at, id }: { at: Date; id: string }): string {
  return `${at.getTime()}_${id}`
}
