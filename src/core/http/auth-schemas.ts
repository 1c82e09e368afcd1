import { z } from 'zod'
import { roles } from '@/core/auth/roles'

/** A form has words for what JSON has values for. */
export const flag = z.boolean().or(z.enum(['true', 'false']).transform((value) => value === 'true'))

export const callbackUrl = z
  .string()
  .max(2000)
  .optional()
  .describe('Where to go afterwards: a path or URL of this origin. Anything else leads to `/`.')

/** A session as the one it belongs to sees it: no token, and nothing else of the person. */
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

export const urlAnswer = z.strictObject({ url: z.string() })
