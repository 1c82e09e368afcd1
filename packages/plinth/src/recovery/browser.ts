import {
  cookieNames,
  cookieOptions,
  hashToken,
  recoveryCookieSeconds,
  recoverySecret,
} from '#auth/sessions/cookie'
import { cookies } from '#auth/sessions/next'
import { env } from '#config/env'
import type { Browser } from '#recovery/account'

/** Without the cookie it is a browser that has proved nothing. */
export async function currentBrowser(): Promise<Browser> {
  const sent = (await cookies()).get(cookieNames(env().AUTH_URL).recovery)?.value
  return { hash: hashToken(recoverySecret(sent)) }
}

/** In an action: gives the browser its secret if it has none. */
export async function recognizeBrowser(): Promise<Browser> {
  const name = cookieNames(env().AUTH_URL).recovery
  const jar = await cookies()
  const secret = recoverySecret(jar.get(name)?.value)
  jar.set(name, secret, { ...cookieOptions(env()), maxAge: recoveryCookieSeconds })
  return { hash: hashToken(secret) }
}
