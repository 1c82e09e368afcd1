import 'server-only'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Provider } from '@/core/auth/oauth/configured-providers'
import type { ProviderFetch } from '@/core/auth/oauth/provider-fetch'

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
