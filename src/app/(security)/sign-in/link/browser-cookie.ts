import 'server-only'
import { cookies } from 'next/headers'
import { cookieOptions, cookiePrefix, isToken } from 'plinth/auth/sessions/cookie'
import { env } from 'plinth/config/env'

/** The data that a browser keeps after it asked for a link: its secret, and the email to show. */
type LinkRequest = { secret: string; email: string }

/** Longer than the code works, because mail may take some minutes. */
const maxAge = 20 * 60

export async function rememberRequest({ secret, email }: LinkRequest): Promise<void> {
  const value = `${secret}.${Buffer.from(email).toString('base64url')}`
  ;(await cookies()).set(cookieName(), value, { ...cookieOptions(env()), maxAge })
}

export async function currentRequest(): Promise<LinkRequest | undefined> {
  const value = (await cookies()).get(cookieName())?.value
  const [secret, email = ''] = value?.split('.') ?? []
  return isToken(secret) ? { secret, email: Buffer.from(email, 'base64url').toString() } : undefined
}

export async function forgetRequest(): Promise<void> {
  ;(await cookies()).delete({ name: cookieName(), ...cookieOptions(env()) })
}

function cookieName(): string {
  return `${cookiePrefix(env().AUTH_URL)}plinth.sign-in-link`
}
