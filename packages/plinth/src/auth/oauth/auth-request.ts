import { Auth, type AuthConfig, raw } from '@auth/core'
import { failureOf, type OAuthFailure } from '#auth/oauth/provider-fetch'
import { cookieNames, cookiePrefix } from '#auth/sessions/cookie'
import { authSecrets, env } from '#config/env'

export type Cookies = Readonly<Record<string, string>>

type AuthRequest = {
  url: string
  method?: 'GET' | 'POST'
  cookies?: Cookies
  fields?: Record<string, string>
  config: Partial<AuthConfig>
}

type AuthResponse = { redirect: string | undefined; body: unknown; cookies: Cookies }

/**
 * Runs one request through Auth.js. It speaks OAuth and handles CSRF tokens; it stores nothing and
 * signs no one in, so it needs no adapter and no database error passes through it.
 */
export async function sendAuthRequest(
  authRequest: AuthRequest,
): Promise<AuthResponse | OAuthFailure> {
  const { url, method = 'GET', cookies = {}, fields, config } = authRequest
  let logged: Error | undefined
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('; ')
  const request = new Request(url, {
    method,
    headers: cookie ? { cookie } : {},
    ...(fields ? { body: new URLSearchParams(fields) } : {}),
  })
  const logger = loggerFor((error) => {
    logged = error
  })
  try {
    const response = await Auth(request, { ...defaults(), ...config, logger, raw })
    if (response instanceof Response) return failureOf(logged)
    const { redirect, body, cookies: set = [] } = response
    return { redirect, body, cookies: Object.fromEntries(set.map((one) => [one.name, one.value])) }
  } catch (error) {
    return failureOf(error, new URL(url).searchParams)
  }
}

/** Set explicitly, because Auth.js would read them from the environment or guess from the request. */
function defaults() {
  const { AUTH_URL } = env()
  return {
    basePath: '/api/auth',
    trustHost: true,
    useSecureCookies: AUTH_URL.startsWith('https:'),
    secret: [...authSecrets()],
    pages: { signIn: '/sign-in', error: '/sign-in' },
    cookies: { csrfToken: { name: cookieNames(AUTH_URL).csrf } },
    providers: [],
  } satisfies AuthConfig
}

/** The caller logs the error once; Auth.js would log it too. */
function loggerFor(error: (error: Error) => void) {
  return { error, warn() {}, debug() {} }
}

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

/** The cookies of one OAuth flow. Their names contain the provider, so that flows cannot mix. */
export function oauthCookieNames(authUrl: string, provider: string) {
  const prefix = cookiePrefix(authUrl)
  return {
    state: `${prefix}authjs.state.${provider}`,
    verifier: `${prefix}authjs.pkce.code_verifier.${provider}`,
    nonce: `${prefix}authjs.nonce.${provider}`,
    flow: `${prefix}plinth.oauth.${provider}`,
  }
}
