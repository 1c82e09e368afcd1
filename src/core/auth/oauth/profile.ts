import { emailField } from '@/core/auth/accounts/fields'

/** The account at a provider, as the provider has just reported it. */
export type ProviderProfile = {
  provider: string
  accountId: string
  /** Only if the provider has verified it and our rules allow it. */
  email: string | undefined
  name: string | undefined
}

/**
 * By the rules for a typed email. But a user sees the result of typing, and a provider has verified
 * exactly this mailbox: `ａda@example.org` is another one than `ada@example.org`, so an email that
 * would be changed in more than its case is refused.
 */
export function acceptedEmail(text: string | null): string | undefined {
  if (text === null || text !== text.trim().normalize('NFKC')) return undefined
  return emailField.safeParse(text).data
}

/** The provider's name for the user, changed to follow our rules, or the local part of the email. */
export function displayName(text: string | undefined, email: string): string {
  return singleLine(text ?? '') || singleLine(email.replace(/@.*/, '')) || 'User'
}

function singleLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, ' ').trim()
  const cut = line
    .slice(0, 100)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(cut) ? cut : ''
}
