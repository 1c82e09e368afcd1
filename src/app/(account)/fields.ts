import { z } from 'zod'

/** The rules for new passwords do not apply: they may have changed since this one was chosen. */
export const currentPasswordField = z
  .string('Enter your password.')
  .min(1, 'Enter your password.')
  .max(1000, 'The password is incorrect.')

export const confirmationField = z
  .string('Enter your email.')
  .min(1, 'Enter your email.')
  .max(1000, 'The email does not match your account.')

export const sessionId = z.uuid()

/** Any id: a linked provider that is no longer configured can be unlinked. */
export const providerField = z.string().min(1).max(100)
