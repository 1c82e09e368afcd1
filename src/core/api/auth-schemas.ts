import { z } from 'zod'
import { roles } from '@/core/config/users'

/** A form sends text where JSON has a boolean. */
export const flag = z.boolean().or(z.enum(['true', 'false']).transform((value) => value === 'true'))

export const callbackUrl = z
  .string()
  .max(2000)
  .optional()
  .describe('Where to go afterwards: a path or URL on this origin. Any other value becomes `/`.')

/** Exactly these fields: no token, and no other field of the user. */
export const sessionSchema = z
  .strictObject({
    user: z.strictObject({
      id: z.uuid(),
      email: z.string(),
      name: z.string(),
      role: z.enum(roles),
    }),
    expires: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: 'Session' })

export const urlResponse = z.strictObject({ url: z.string() })
