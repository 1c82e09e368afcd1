import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { journeyCookieNames } from '@/core/auth/cookie-names'
import { env } from '@/core/env'
import type { ApiContext } from '@/core/http/context'

/** A browser on its way to a provider and back, which may take it a quarter of an hour. */
const patience = 15 * 60

type Cookies = Readonly<Record<string, string>>

/** What we want to know again when it is back. */
export type Note = {
  callbackUrl: string
  /** The session that asked for another way to sign in, where one did. */
  linkTo: string | undefined
}

export function beginJourney(
  c: ApiContext,
  provider: string,
  { callbackUrl, linkTo }: Note,
  cookies: Cookies,
): void {
  const { state, verifier, journey } = names(provider)
  const note = new URLSearchParams({ callbackUrl, ...(linkTo ? { linkTo } : {}) }).toString()
  const all: Cookies = { ...cookies, [journey]: note }
  for (const name of [state, verifier, journey]) {
    setCookie(c, name, all[name] ?? '', { ...browserCookie(), maxAge: patience })
  }
}

/** What the library made at the departure. However it ends, that is worth nothing a second time. */
export function endJourney(c: ApiContext, provider: string): Cookies {
  const { state, verifier, journey } = names(provider)
  const brought: Record<string, string> = {}
  for (const name of [state, verifier, journey]) {
    const value = getCookie(c, name)
    if (value === undefined) continue
    deleteCookie(c, name, browserCookie())
    if (name !== journey) brought[name] = value
  }
  return brought
}

/** It may have been tampered with: the address is still to be checked, and the session compared. */
export function noteOf(c: ApiContext, provider: string): Note {
  const note = new URLSearchParams(getCookie(c, names(provider).journey) ?? '')
  return { callbackUrl: note.get('callbackUrl') ?? '/', linkTo: note.get('linkTo') ?? undefined }
}

/** Lax whatever the session's cookie is: the way back is a visit to a page. */
export function browserCookie() {
  const secure = env().AUTH_URL.startsWith('https:')
  return { path: '/', httpOnly: true, secure, sameSite: 'Lax' as const }
}

function names(provider: string) {
  return journeyCookieNames(env().AUTH_URL, provider)
}
