import 'server-only'
import { cookies } from 'next/headers'
import {
  cookieNames,
  cookieOptions,
  deviceCookieSeconds,
  themeCookie,
} from '@/core/auth/sessions/cookie'
import { cookieLifetime } from '@/core/auth/sessions/lifetime'
import type { NewSession } from '@/core/auth/sessions/session'
import { env } from '@/core/config/env'
import type { Theme } from '@/core/config/users'
import { rememberAccount } from '@/core/rate-limits/known-device'

/** Sets the session cookie in the response of a server action, and remembers the device. */
export async function setActionSessionCookie({ token, session }: NewSession): Promise<void> {
  const names = cookieNames(env().AUTH_URL)
  const options = cookieOptions(env())
  const jar = await cookies()
  jar.set(names.session, token, { ...options, ...cookieLifetime(session.expiresAt) })
  const device = rememberAccount(jar.get(names.device)?.value, session.user.email)
  jar.set(names.device, device, { ...options, maxAge: deviceCookieSeconds })
  if (session.user.theme) await setActionThemeCookie(session.user.theme)
}

/** @public For the actions of modules. */
export async function setActionThemeCookie(theme: Theme): Promise<void> {
  ;(await cookies()).set(...themeCookie(env(), theme))
}

/** @public Core signs out in the API; modules do in actions. */
export async function clearActionSessionCookie(): Promise<void> {
  const { session: name } = cookieNames(env().AUTH_URL)
  ;(await cookies()).delete({ name, ...cookieOptions(env()) })
}
