import 'server-only'
import { cookies } from 'next/headers'
import { cookieNames } from '@/core/auth/cookie-names'
import { cookieOptions } from '@/core/auth/cookie-options'
import type { NewSession } from '@/core/auth/sessions'
import { env } from '@/core/env'

/** Gives the browser that called an action its session, with the cookie that the interface sets. */
export async function keepSession({ token, session }: NewSession): Promise<void> {
  const { session: name } = cookieNames(env().AUTH_URL)
  const options = { ...cookieOptions(env()), expires: session.expiresAt }
  ;(await cookies()).set(name, token, options)
}

/**
 * The session has ended, so the browser need not bring its token any more.
 * @public Core signs out in the interface; modules do in actions.
 */
export async function forgetSession(): Promise<void> {
  const { session: name } = cookieNames(env().AUTH_URL)
  ;(await cookies()).delete({ name, ...cookieOptions(env()) })
}
