import { emailField } from 'plinth/auth/accounts/fields'
import { z } from 'zod'

/** At most this many in one form. */
const maxAddresses = 50

export type Addresses = {
  /** Normalized, each once. */
  valid: string[]
  rejected: Rejected[]
}

export type Rejected = { email: string; reason: string }

/** Addresses separated by commas, semicolons, spaces or line breaks, as they are pasted. */
export const addressesField = z
  .string('Enter at least one email.')
  .max(20_000, 'This text is too long. Send the invitations in several steps.')
  .transform((text) => text.split(/[\s,;]+/).filter((part) => part !== ''))
  .refine((parts) => parts.length > 0, 'Enter at least one email.')
  .refine(
    (parts) => parts.length <= maxAddresses,
    `Enter at most ${maxAddresses} emails at a time.`,
  )
  .transform(sortOut)

function sortOut(parts: readonly string[]): Addresses {
  const valid = new Set<string>()
  const rejected: Rejected[] = []
  for (const part of parts) {
    const checked = emailField.safeParse(part)
    if (checked.success) valid.add(checked.data)
    else rejected.push({ email: part, reason: 'not a valid email' })
  }
  return { valid: [...valid], rejected }
}
