import { z } from 'zod'
import { roles } from '@/core/config/roles'

export const userId = z.uuid()

export const sessionId = z.uuid()

export const roleField = z.enum(roles, 'Choose one of the listed roles.')

export const sorts = ['newest', 'oldest', 'name', 'email'] as const

export type Sort = (typeof sorts)[number]

/** A select sends an empty string if nothing is chosen. */
export const emptyChoice = z.literal('').transform(() => undefined)
