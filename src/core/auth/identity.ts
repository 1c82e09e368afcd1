import { normaliseEmail } from '@/core/auth/email'

/** Who somebody is at a provider, as that provider has just said. */
export type Identity = {
  provider: string
  accountId: string
  /** Only an address that the provider has verified, and that can be one of ours. */
  email: string | undefined
  name: string | undefined
}

/** In its normal form; undefined for what no account of ours could have. */
export function fittingEmail(text: string | null | undefined): string | undefined {
  const email = normaliseEmail(text ?? '')
  return email.length <= 254 && /^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u.test(email) ? email : undefined
}

/** A name from elsewhere, made to follow our rules; without any, the part before the @. */
export function fittingName(text: string | undefined, email: string): string {
  return oneLine(text ?? '') || oneLine(email.replace(/@.*/, '')) || 'Somebody'
}

function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, ' ').trim()
  const cut = line
    .slice(0, 100)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(cut) ? cut : ''
}
