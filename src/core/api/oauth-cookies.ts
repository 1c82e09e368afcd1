import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { oauthCookieNames } from '@/core/auth/oauth/cookies'
import { env } from '@/core/config/env'
import type { ApiContext } from '@/core/http/scope'

/** How long a browser may take at the provider. */
const maxAgeSeconds = 15 * 60

type Cookies = Readonly<Record<string, string>>

export type FlowState = {
  callbackUrl: string
  /** The session that started the flow to link an account. */
  linkTo: string | undefined
}

export function setFlowCookies(
  c: ApiContext,
  provider: string,
  { callbackUrl, linkTo }: FlowState,
  cookies: Cookies,
): void {
  const { state, verifier, nonce, flow } = names(provider)
  const flowState = new URLSearchParams({ callbackUrl, ...(linkTo ? { linkTo } : {}) }).toString()
  const all: Cookies = { ...cookies, [flow]: flowState }
  for (const name of [state, verifier, nonce, flow]) {
    const value = all[name]
    // Only OpenID Connect has a nonce.
    if (value === undefined) continue
    setCookie(c, name, value, { ...browserCookie(), maxAge: maxAgeSeconds })
  }
}

/** Clears the flow's cookies, which are single use, and returns those of Auth.js. */
export function takeFlowCookies(c: ApiContext, provider: string): Cookies {
  const { state, verifier, nonce, flow } = names(provider)
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
  const state = new URLSearchParams(getCookie(c, names(provider).flow) ?? '')
  return { callbackUrl: state.get('callbackUrl') ?? '/', linkTo: state.get('linkTo') ?? undefined }
}

/** Always Lax: the provider's redirect is a top-level navigation. */
export function browserCookie() {
  const secure = env().AUTH_URL.startsWith('https:')
  return { path: '/', httpOnly: true, secure, sameSite: 'Lax' as const }
}

function names(provider: string) {
  return oauthCookieNames(env().AUTH_URL, provider)
}
