import { z } from 'zod'
import { roles } from '@/core/auth/roles'

export const userId = z.uuid()

export const sessionId = z.uuid()

export const roleField = z.enum(roles, 'Choose one of the roles.')

/** In which order people are listed. */
export const sorts = ['newest', 'oldest', 'name', 'email'] as const

export type Sort = (typeof sorts)[number]

/** A part of an address or of a name. A form sends it also when nothing was typed. */
export const searchField = z
  .string()
  .trim()
  .max(200, 'At most 200 characters.')
  .regex(/^\P{Cc}*$/u, 'A search is one line of text.')
  .transform((text) => (text === '' ? undefined : text))

/** What a filter's select sends when nothing is chosen. */
export const nothingChosen = z.literal('').transform(() => undefined)

export const pageSize = { least: 1, most: 100, usual: 25 }

/** As an address or a form has it; a program that calls the action may send the number. */
export const limitField = z
  .union([z.int(), z.string().regex(/^\d{1,3}$/)])
  .transform(Number)
  .pipe(z.int().min(pageSize.least).max(pageSize.most))
