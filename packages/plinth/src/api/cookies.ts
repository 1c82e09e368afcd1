import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { type Change, changes } from '#auth/accounts/change-proofs'
import { isCsrfToken, issueCsrfToken, oauthCookieNames } from '#auth/oauth/auth-request'
import {
  cookieNames,
  cookieOptions,
  deviceCookieSeconds,
  hashToken,
  recoveryCookieSeconds,
  recoverySecret,
  themeCookie,
} from '#auth/sessions/cookie'
import { cookieLifetime, type NewSession } from '#auth/sessions/session'
import { challengeSeconds } from '#auth/sessions/steps'
import { env } from '#config/env'
import { flashCookie } from '#guard/flash'
import type { ApiContext } from '#http/api-context'
import { ownOrigin } from '#http/headers'
import { Problem } from '#http/problems'
import { rememberAccount } from '#rate-limits/known-devices'
import type { Browser } from '#recovery/account'

export function setSessionCookie(c: ApiContext, token: string, expires: Date): void {
  setCookie(c, names().session, token, { ...cookieOptions(env()), ...cookieLifetime(expires) })
}

/**
 * After a sign-in: guesses from elsewhere do not lock this browser out of the account, and it shows
 * the user's theme.
 */
export function setSignInCookies(c: ApiContext, created: NewSession): void {
  const { token, session } = created
  setSessionCookie(c, token, session.expiresAt)
  const { device: name } = names()
  const device = created.device ?? rememberAccount(getCookie(c, name), session.user.email)
  setCookie(c, name, device, { ...cookieOptions(env()), maxAge: deviceCookieSeconds })
  if (session.user.theme) setCookie(c, ...themeCookie(env(), session.user.theme))
}

/** For the page of the next step. */
export function setChallengeCookie(c: ApiContext, challenge: string): void {
  setCookie(c, names().challenge, challenge, { ...cookieOptions(env()), maxAge: challengeSeconds })
}

export function clearSessionCookie(c: ApiContext): void {
  deleteCookie(c, names().session, cookieOptions(env()))
}

/** In a cookie for a minute, because a URL would end up in histories and logs. */
export function rememberTypedEmail(c: ApiContext, email: string): void {
  setCookie(c, names().typedEmail, email.slice(0, 254), { ...cookieOptions(env()), maxAge: 60 })
}

function names() {
  return cookieNames(env().AUTH_URL)
}

/** The message for the page that the response redirects to. */
export function setFlashCookie(c: ApiContext, text: string, userId: string): void {
  setCookie(c, ...flashCookie({ text }, userId))
}

/** The browser that proves a recovery. It gets its secret if it has none. */
export function recognizeBrowser(c: ApiContext): Browser {
  const { recovery: name } = names()
  const secret = recoverySecret(getCookie(c, name))
  setCookie(c, name, secret, { ...cookieOptions(env()), maxAge: recoveryCookieSeconds })
  return { hash: hashToken(secret) }
}

/** How long a browser may take at the provider. */
const maxAgeSeconds = 15 * 60

type Cookies = Readonly<Record<string, string>>

export type FlowState = {
  callbackUrl: string
  /** The session that started the flow to link an account. */
  linkTo: string | undefined
  /** The change that the sign-in proves. */
  change: Change | undefined
  /** The token of the recovery that it proves instead. */
  recovery: string | undefined
}

export function setFlowCookies(
  c: ApiContext,
  provider: string,
  { callbackUrl, ...purpose }: FlowState,
  cookies: Cookies,
): void {
  const { state, verifier, nonce, flow } = flowCookieNames(provider)
  const flowState = new URLSearchParams({ callbackUrl })
  for (const [name, value] of Object.entries(purpose)) if (value) flowState.set(name, value)
  const all: Cookies = { ...cookies, [flow]: flowState.toString() }
  for (const name of [state, verifier, nonce, flow]) {
    const value = all[name]
    // Only OpenID Connect has a nonce.
    if (value === undefined) continue
    setCookie(c, name, value, { ...browserCookie(), maxAge: maxAgeSeconds })
  }
}

/** Clears the flow's cookies, which are single use, and returns those of Auth.js. */
export function takeFlowCookies(c: ApiContext, provider: string): Cookies {
  const { state, verifier, nonce, flow } = flowCookieNames(provider)
  const taken: Record<string, string> = {}
  for (const name of [state, verifier, nonce, flow]) {
    const value = getCookie(c, name)
    if (value === undefined) continue
    deleteCookie(c, name, browserCookie())
    if (name !== flow) taken[name] = value
  }
  return taken
}

/** Untrusted: the caller still has to check the URL and compare the session. */
export function readFlowState(c: ApiContext, provider: string): FlowState {
  const state = new URLSearchParams(getCookie(c, flowCookieNames(provider).flow) ?? '')
  return {
    callbackUrl: state.get('callbackUrl') ?? '/',
    linkTo: state.get('linkTo') ?? undefined,
    change: changes.find((change) => change === state.get('change')),
    recovery: state.get('recovery') ?? undefined,
  }
}

/** Always Lax: the provider's redirect is a top-level navigation. */
function browserCookie() {
  const secure = env().AUTH_URL.startsWith('https:')
  return { path: '/', httpOnly: true, secure, sameSite: 'Lax' as const }
}

function flowCookieNames(provider: string) {
  return oauthCookieNames(env().AUTH_URL, provider)
}

export async function createCsrfToken(c: ApiContext): Promise<string> {
  const { csrfToken, cookie } = await issueCsrfToken(ownOrigin(c), csrfCookie(c))
  if (cookie !== undefined) setCookie(c, cookieName(), cookie, browserCookie())
  return csrfToken
}

export async function requireCsrfToken(c: ApiContext, token: string): Promise<void> {
  if (!(await isCsrfToken(ownOrigin(c), csrfCookie(c), token))) throw new Problem('csrf_mismatch')
}

function csrfCookie(c: ApiContext): Record<string, string> {
  const value = getCookie(c, cookieName())
  return value === undefined ? {} : { [cookieName()]: value }
}

function cookieName(): string {
  return cookieNames(env().AUTH_URL).csrf
}
