import { normalizeEmail } from '@/core/auth/accounts/email'

/** The account at a provider, as the provider has just reported it. */
export type ProviderProfile = {
  provider: string
  accountId: string
  /** Only if the provider has verified it and our rules allow it. */
  email: string | undefined
  name: string | undefined
}

/** Normalized; undefined if no account of ours could have it. */
export function acceptedEmail(text: string | null | undefined): string | undefined {
  const email = normalizeEmail(text ?? '')
  return email.length <= 254 && /^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u.test(email) ? email : undefined
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
