import {
  createHash,
  createSign,
  generateKeyPairSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { singleton } from '@/core/config/singleton'

/** The provider profile that the developer chose. */
type Profile = { id: number; name: string; email: string; verified: boolean }

type AuthorizationRequest = {
  redirectUri: string
  challenge: string
  /** Only OpenID Connect has one. */
  nonce: string | undefined
}

type Grant = AuthorizationRequest & { profile: Profile; provider: string }

const grants = singleton('dev.oauth', () => ({
  codes: new Map<string, Grant>(),
  tokens: new Map<string, Profile>(),
}))

export function newCode(grant: Grant): string {
  const code = randomBytes(32).toString('base64url')
  grants.codes.set(code, grant)
  return code
}

/** Single use, and only with the PKCE verifier of the challenge. */
export function redeem(
  code: string,
  { provider, redirectUri, verifier }: { provider: string; redirectUri: string; verifier: string },
): { accessToken: string; profile: Profile; nonce: string | undefined } | undefined {
  const grant = grants.codes.get(code)
  grants.codes.delete(code)
  if (grant?.provider !== provider || grant.redirectUri !== redirectUri) return undefined
  const computed = createHash('sha256').update(verifier).digest()
  const expected = Buffer.from(grant.challenge, 'base64url')
  if (computed.length !== expected.length || !timingSafeEqual(computed, expected)) return undefined
  const accessToken = randomBytes(32).toString('base64url')
  grants.tokens.set(accessToken, grant.profile)
  return { accessToken, profile: grant.profile, nonce: grant.nonce }
}

export function findProfile(accessToken: string): Profile | undefined {
  return grants.tokens.get(accessToken)
}

const keys = singleton('dev.oauth.keys', () => generateKeyPairSync('rsa', { modulusLength: 2048 }))

/** The JSON Web Key Set. */
export function publicKeys() {
  return { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] }
}

type Request = { issuer: string; audience: string; nonce: string | undefined }

export function idToken({ id, name, email, verified }: Profile, request: Request) {
  const { issuer, audience, nonce } = request
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: issuer,
    aud: audience,
    nonce,
    iat: now,
    exp: now + 300,
    sub: String(id),
    name,
    email,
    email_verified: verified,
  }
  const unsigned = `${encodePart({ alg: 'RS256', typ: 'JWT' })}.${encodePart(claims)}`
  return `${unsigned}.${createSign('RSA-SHA256').update(unsigned).sign(keys.privateKey, 'base64url')}`
}

function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
