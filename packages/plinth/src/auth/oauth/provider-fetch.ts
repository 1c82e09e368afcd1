import { createLocalJWKSet, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Provider } from '#auth/oauth/configured-providers'
import { isLoopback } from '#config/setting-types'
import { readResponseUpTo } from '#http/limited-response'
import { fetchInSpan } from '#log/trace'

/** Public keys only. With `none` or `HS256` anyone who knows the client could write a token. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** As Auth.js allows. */
const clockToleranceSeconds = 30

/**
 * Throws unless the provider has signed the token for us. Auth.js checks the claims and the nonce,
 * but trusts the connection instead of the signature.
 */
export async function verifyIdToken(
  { url, home, clientId }: Provider,
  idToken: string,
  fetch: ProviderFetch,
  now: number,
): Promise<void> {
  const { issuer, jwks_uri } = metadata.parse(await fetchJson(fetch, discoveryUrl(url ?? home)))
  const keys = keySet.parse(await fetchJson(fetch, jwks_uri))
  await jwtVerify(idToken, createLocalJWKSet(keys), {
    algorithms,
    issuer,
    audience: clientId,
    clockTolerance: clockToleranceSeconds,
    currentDate: new Date(now),
    requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
  })
}

const metadata = z.object({ issuer: z.string(), jwks_uri: z.url() })

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
}

async function fetchJson(fetch: ProviderFetch, url: string): Promise<unknown> {
  const response = await fetch(url, { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`${url} responded with ${response.status}.`)
  return response.json()
}

/** The error is for the log only. */
export type OAuthFailure = {
  failure: 'oauth_denied' | 'oauth_failed' | 'provider_unavailable'
  error: Error
}

export function failureOf(thrown: unknown, query?: URLSearchParams): OAuthFailure {
  const error = thrown instanceof Error ? thrown : new Error('Auth.js gave no reason.')
  const cause = rootCause(error)
  if (isProviderUnavailable(cause)) return { failure: 'provider_unavailable', error: cause }
  // Sent by the provider itself, in a callback with a valid state.
  const refused = 'type' in error && error.type === 'OAuthCallbackError'
  const denied = refused && query?.get('error') === 'access_denied'
  return { failure: denied ? 'oauth_denied' : 'oauth_failed', error: cause }
}

/** Auth.js wraps errors in its own. */
function rootCause(error: Error): Error {
  const { cause } = error
  const wrapped = typeof cause === 'object' && cause !== null && 'err' in cause && cause.err
  return wrapped instanceof Error ? rootCause(wrapped) : error
}

export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
}

function isProviderUnavailable(error: unknown): error is ProviderUnavailable {
  return error instanceof ProviderUnavailable
}

export type ProviderFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

const timeoutMs = 10_000
const maxBytes = 64 * 1024

/** One conversation with a provider. All its requests together have ten seconds. */
export function providerConversation(): ProviderFetch {
  const signal = AbortSignal.timeout(timeoutMs)
  return (input, init) => providerFetch(input, { ...init, signal })
}

/**
 * Requests to a provider carry our secret or an access token. They go over https unless the provider
 * is this machine, whatever URL its discovery document names, and follow no redirect. The response
 * is read here, because a provider must not fill our memory or keep a request open.
 */
export async function providerFetch(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const { protocol, hostname, origin } = new URL(input instanceof Request ? input.url : input)
  if (protocol !== 'https:' && !isLoopback(hostname)) {
    throw new Error(`${origin} is not https, so nothing is sent to it.`)
  }
  const signal = init.signal ?? AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetchInSpan(input, { ...init, signal, redirect: 'manual' })
    const { status, headers } = response
    const body = await readResponseUpTo(maxBytes, response)
    // Some statuses allow no body.
    return new Response(body.length > 0 ? new Uint8Array(body) : null, {
      status,
      headers: decodedHeaders(headers),
    })
  } catch (error) {
    throw new ProviderUnavailable(`${origin} does not respond as it should.`, { cause: error })
  }
}

/** The body is already decompressed. */
function decodedHeaders(headers: Headers): Headers {
  const decoded = new Headers(headers)
  decoded.delete('content-encoding')
  decoded.delete('content-length')
  return decoded
}
