import 'server-only'
import { Auth, type AuthConfig, customFetch, raw, skipCSRFCheck } from '@auth/core'
import { cookieNames, journeyCookieNames } from '@/core/auth/cookie-names'
import { fittingEmail, type Identity } from '@/core/auth/identity'
import { failureOf, type OAuthFailure } from '@/core/auth/oauth-failure'
import { providerConfig } from '@/core/auth/provider-config'
import { providerFetch } from '@/core/auth/provider-fetch'
import type { Provider } from '@/core/auth/providers/provider'
import { authSecrets } from '@/core/auth/secret'
import { env } from '@/core/env'

/**
 * What Auth.js does here: it speaks OAuth with a provider, and makes and checks its CSRF token. It
 * stores nothing and signs nobody in: whom a provider vouches for is handed to our own accounts
 * and sessions, so it needs no adapter, and no error of the database ever passes through it.
 */

type Cookies = Readonly<Record<string, string>>

/** Where to send the browser, and the cookies that it must bring back. */
export type Departure = { url: string; cookies: Cookies }

/** `hints` go to the provider along with what it is asked anyway. */
export async function leaveForProvider(
  provider: Provider,
  origin: string,
  hints: Readonly<Record<string, string | undefined>>,
): Promise<Departure | OAuthFailure> {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(hints)) if (value) query.set(name, value)
  const asked = await ask({
    url: `${origin}/api/auth/signin/${provider.id}?${query}`,
    method: 'POST',
    // Whoever comes here has passed our own same-origin rule.
    config: { providers: [configured(provider)], skipCSRFCheck, ...ownCookies(provider) },
  })
  if ('failure' in asked) return asked
  return { url: asked.redirect ?? '', cookies: asked.cookies }
}

/** `cookies` are those of the departure. Whatever else the browser has is none of its business. */
export async function returnFromProvider(
  provider: Provider,
  origin: string,
  query: URLSearchParams,
  cookies: Cookies,
): Promise<Identity | OAuthFailure> {
  let identity: Identity | undefined
  const asked = await ask({
    url: `${origin}/api/auth/callback/${provider.id}?${query}`,
    cookies,
    config: {
      providers: [configured(provider)],
      ...ownCookies(provider),
      callbacks: {
        signIn({ user, account }) {
          const accountId = account?.providerAccountId
          if (!accountId) return false
          const name = typeof user.name === 'string' ? user.name : undefined
          identity = { provider: provider.id, accountId, email: fittingEmail(user.email), name }
          // A text ends it here: there is nothing left for the library to do.
          return '/'
        },
      },
    },
  })
  if ('failure' in asked) return asked
  return identity ?? { failure: 'oauth_failed', error: new Error('The provider named nobody.') }
}

/** The token to send back in a form, and the cookie it is held against, unless it is there already. */
export async function issueCsrfToken(
  origin: string,
  cookies: Cookies,
): Promise<{ csrfToken: string; cookie: string | undefined }> {
  const name = csrfCookieName()
  const asked = await ask({ url: `${origin}/api/auth/csrf`, cookies, config: {} })
  if ('failure' in asked) throw asked.error
  const { csrfToken } = asked.body as { csrfToken: string }
  return { csrfToken, cookie: asked.cookies[name] }
}

/** The library checks the token before anything else, and a sign-in without a provider is nothing. */
export async function isCsrfToken(
  origin: string,
  cookies: Cookies,
  csrfToken: string,
): Promise<boolean> {
  const url = `${origin}/api/auth/signin`
  const asked = await ask({ url, method: 'POST', cookies, fields: { csrfToken }, config: {} })
  return !('failure' in asked)
}

type Question = {
  url: string
  method?: 'GET' | 'POST'
  cookies?: Cookies
  fields?: Record<string, string>
  config: Partial<AuthConfig>
}

type Answer = { redirect: string | undefined; body: unknown; cookies: Cookies }

async function ask({ url, method = 'GET', cookies = {}, fields, config }: Question) {
  let caught: Error | undefined
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('; ')
  const request = new Request(url, {
    method,
    headers: cookie ? { cookie } : {},
    ...(fields ? { body: new URLSearchParams(fields) } : {}),
  })
  const keep = (error: Error) => {
    caught = error
  }
  const everything = { ...common(), ...config, logger: quiet(keep), raw } as const
  try {
    const answer = await Auth(request, everything)
    if (answer instanceof Response) return failureOf(caught)
    const given = answer.cookies ?? []
    return {
      redirect: answer.redirect,
      body: answer.body,
      cookies: Object.fromEntries(given.map(({ name, value }) => [name, value])),
    } satisfies Answer
  } catch (error) {
    return failureOf(error, new URL(url).searchParams)
  }
}

/** Everything that it would otherwise take from the environment, or guess from the request. */
function common() {
  const { AUTH_URL } = env()
  return {
    basePath: '/api/auth',
    trustHost: true,
    useSecureCookies: AUTH_URL.startsWith('https:'),
    secret: [...authSecrets()],
    pages: { signIn: '/sign-in', error: '/sign-in' },
    cookies: { csrfToken: { name: csrfCookieName() } },
    providers: [],
  } satisfies AuthConfig
}

/** It tells each error twice, as a message and as an answer; ours is told by whoever asked. */
function quiet(error: (error: Error) => void) {
  return { error, warn() {}, debug() {} }
}

function csrfCookieName(): string {
  return cookieNames(env().AUTH_URL).csrf
}

function ownCookies({ id }: Provider) {
  const { state, verifier } = journeyCookieNames(env().AUTH_URL, id)
  return {
    cookies: { state: { name: state }, pkceCodeVerifier: { name: verifier } },
  }
}

function configured(provider: Provider): AuthConfig['providers'][number] {
  return { ...providerConfig(provider), [customFetch]: providerFetch }
}
