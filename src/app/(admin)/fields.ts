import { roles } from 'plinth/universal/users'
import { z } from 'zod'

export const userId = z.uuid()

/** A selection. The list shows at most 100 users. */
export const userIds = z
  .array(userId)
  .min(1, 'Choose at least one user.')
  .max(100, 'Choose at most 100 users.')
  .transform((ids) => [...new Set(ids)])

export const sessionId = z.uuid()

export const roleField = z.enum(roles, 'Choose one of the listed roles.')

export const sorts = ['newest', 'oldest', 'name', 'name_desc', 'email', 'email_desc'] as const

export type Sort = (typeof sorts)[number]

/** True when the user has read what follows from a dangerous change. */
export const confirmedField = z.boolean().optional()

/** A page of the list of users, to lead back to it. */
export const listUrl = z
  .string()
  .max(2000)
  .regex(/^\/admin\/users(\?[^#\\\p{Cc}]*)?$/u)

/** A select sends an empty string if nothing is chosen. */
export const emptyChoice = z.literal('').transform(() => undefined)
