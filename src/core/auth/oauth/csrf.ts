import 'server-only'
import { type Cookies, sendAuthRequest } from '@/core/auth/oauth/auth-request'
import { cookieNames } from '@/core/auth/sessions/cookie'
import { env } from '@/core/config/env'

/** The token for a form, and its cookie unless the browser already has one. */
export async function issueCsrfToken(
  origin: string,
  cookies: Cookies,
): Promise<{ csrfToken: string; cookie: string | undefined }> {
  const response = await sendAuthRequest({ url: `${origin}/api/auth/csrf`, cookies, config: {} })
  if ('failure' in response) throw response.error
  const { csrfToken } = response.body as { csrfToken: string }
  return { csrfToken, cookie: response.cookies[cookieNames(env().AUTH_URL).csrf] }
}

/** Auth.js checks the token first, and a sign-in without a provider does nothing else. */
export async function isCsrfToken(
  origin: string,
  cookies: Cookies,
  csrfToken: string,
): Promise<boolean> {
  const url = `${origin}/api/auth/signin`
  const fields = { csrfToken }
  const response = await sendAuthRequest({ url, method: 'POST', cookies, fields, config: {} })
  return !('failure' in response)
}
