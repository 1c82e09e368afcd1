import { getCookie, setCookie } from 'hono/cookie'
import { cookieNames } from '@/core/auth/cookie-names'
import { isCsrfToken, issueCsrfToken } from '@/core/auth/oauth'
import { env } from '@/core/env'
import type { ApiContext } from '@/core/http/context'
import { browserCookie } from '@/core/http/journey-cookies'
import { ownOrigin } from '@/core/http/own-origin'
import { Problem } from '@/core/http/problem'

export async function giveCsrfToken(c: ApiContext): Promise<string> {
  const { csrfToken, cookie } = await issueCsrfToken(ownOrigin(c), held(c))
  if (cookie !== undefined) setCookie(c, cookieName(), cookie, browserCookie())
  return csrfToken
}

/** Who can read the token of this browser is a page of ours, or of an origin that we allow. */
export async function requireCsrfToken(c: ApiContext, token: string): Promise<void> {
  if (!(await isCsrfToken(ownOrigin(c), held(c), token))) throw new Problem('csrf_mismatch')
}

function held(c: ApiContext): Record<string, string> {
  const value = getCookie(c, cookieName())
  return value === undefined ? {} : { [cookieName()]: value }
}

function cookieName(): string {
  return cookieNames(env().AUTH_URL).csrf
}
