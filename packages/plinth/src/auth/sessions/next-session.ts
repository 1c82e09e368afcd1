import { cookieNames, cookieOptions, deviceCookieSeconds, themeCookie } from '#auth/sessions/cookie'
import { cookies, headers } from '#auth/sessions/next'
import { readScope } from '#auth/sessions/scope'
import { cookieLifetime, type NewSession } from '#auth/sessions/session'
import { challengeSeconds, isPending, type PendingSignIn, stepUrl } from '#auth/sessions/steps'
import { env } from '#config/env'
import { callbackUrlOrHome, clientIp } from '#http/headers'
import { requestContext } from '#http/request-context'
import type { Scope } from '#http/scope'
import { rememberAccount } from '#rate-limits/known-devices'
import type { Theme } from '#universal/users'

const scopes = new WeakMap<Headers, Promise<Scope>>()

/** The caller of a page, read once per request. */
export async function currentScope(): Promise<Scope> {
  const all = await headers()
  const scope = scopes.get(all) ?? readCurrentScope()
  scopes.set(all, scope)
  return scope
}

/** The caller of an action. It is not kept: the page that follows shows what the action has changed. */
export async function readCurrentScope(): Promise<Scope> {
  const all = await headers()
  const context = requestContext()
  if (context) context.entered = true
  if (context?.scope) return context.scope
  const header = (name: string) => all.get(name) ?? undefined
  const scope = await readScope({
    authorization: header('authorization'),
    cookie: header('cookie'),
    userAgent: header('user-agent'),
    ip: clientIp(context?.remoteIp, header('x-forwarded-for')),
    requestId: header('x-request-id') ?? '',
  })
  if (context) context.userId = scope.session?.user.id
  return scope
}

/** Sets the session cookie in the response of a server action, and remembers the device. */
export async function setActionSessionCookie(created: NewSession): Promise<void> {
  const { token, session } = created
  const names = cookieNames(env().AUTH_URL)
  const options = cookieOptions(env())
  const jar = await cookies()
  jar.set(names.session, token, { ...options, ...cookieLifetime(session.expiresAt) })
  const device = created.device ?? rememberAccount(jar.get(names.device)?.value, session.user.email)
  jar.set(names.device, device, { ...options, maxAge: deviceCookieSeconds })
  if (session.user.theme) await setActionThemeCookie(session.user.theme)
}

/**
 * The page to go to: with a session, the callback URL or `/home`; before that, the page of the next
 * step, which gets the challenge in a cookie.
 */
export async function finishSignIn(
  signedIn: NewSession | PendingSignIn,
  callbackUrl: string | undefined,
): Promise<string> {
  const next = callbackUrlOrHome(callbackUrl, env().AUTH_URL)
  if (!isPending(signedIn)) {
    await setActionSessionCookie(signedIn)
    return next
  }
  const { challenge: name } = cookieNames(env().AUTH_URL)
  const options = { ...cookieOptions(env()), maxAge: challengeSeconds }
  ;(await cookies()).set(name, signedIn.challenge, options)
  return stepUrl(signedIn, next)
}

/** @public For the actions of modules. */
export async function setActionThemeCookie(theme: Theme): Promise<void> {
  ;(await cookies()).set(...themeCookie(env(), theme))
}

/** @public The engine signs out in the API; modules do in actions. */
export async function clearActionSessionCookie(): Promise<void> {
  const { session: name } = cookieNames(env().AUTH_URL)
  ;(await cookies()).delete({ name, ...cookieOptions(env()) })
}
