import 'server-only'
import { cookies } from 'next/headers'
import { cookieNames, cookieOptions } from '@/core/auth/sessions/cookie'
import type { NewSession } from '@/core/auth/sessions/session'
import { env } from '@/core/config/env'

/** Sets the session cookie in the response of a server action. */
export async function setActionSessionCookie({ token, session }: NewSession): Promise<void> {
  const { session: name } = cookieNames(env().AUTH_URL)
  const options = { ...cookieOptions(env()), expires: session.expiresAt }
  ;(await cookies()).set(name, token, options)
}

/** @public Core signs out in the API; modules do in actions. */
export async function clearActionSessionCookie(): Promise<void> {
  const { session: name } = cookieNames(env().AUTH_URL)
  ;(await cookies()).delete({ name, ...cookieOptions(env()) })
}
