import { getCookie, setCookie } from 'hono/cookie'
import { browserCookie } from '@/core/api/oauth-cookies'
import { isCsrfToken, issueCsrfToken } from '@/core/auth/oauth/csrf'
import { cookieNames } from '@/core/auth/sessions/cookie'
import { env } from '@/core/config/env'
import { ownOrigin } from '@/core/http/origin'
import { Problem } from '@/core/http/problems'
import type { ApiContext } from '@/core/http/scope'

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
