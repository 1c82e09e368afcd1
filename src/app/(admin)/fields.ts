import { z } from 'zod'
import { roles } from '@/core/config/roles'

export const userId = z.uuid()

export const sessionId = z.uuid()

export const roleField = z.enum(roles, 'Choose one of the listed roles.')

export const sorts = ['newest', 'oldest', 'name', 'email'] as const

export type Sort = (typeof sorts)[number]

/** A form sends an empty string if nothing was typed. */
export const searchField = z
  .string()
  .trim()
  .max(200, 'Use at most 200 characters.')
  .regex(/^\P{Cc}*$/u, 'Remove line breaks and control characters.')
  .transform((text) => (text === '' ? undefined : text))

/** A select sends an empty string if nothing is chosen. */
export const emptyChoice = z.literal('').transform(() => undefined)

export const pageSize = { min: 1, max: 100, default: 25 }

/** A URL or form sends text; a call of the action may pass a number. */
export const limitField = z
  .union([z.int(), z.string().regex(/^\d{1,3}$/)])
  .transform(Number)
  .pipe(z.int().min(pageSize.min).max(pageSize.max))
