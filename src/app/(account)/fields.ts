import { z } from 'zod'

/** As typed: the rules for new passwords may have changed since this one was chosen. */
export const currentPasswordField = z
  .string('Enter your password.')
  .min(1, 'Enter your password.')
  .max(1000, 'This is not your password.')

export const confirmationField = z
  .string('Type your e-mail address.')
  .min(1, 'Type your e-mail address.')
  .max(1000, 'This is not your e-mail address.')

export const sessionId = z.uuid()

/** Also one that is not set up any more: what was linked can be unlinked. */
export const providerField = z.string().min(1).max(100)
