import { createSign, generateKeyPairSync } from 'node:crypto'
import { singleton } from '@/core/config/singleton'
import type { Profile } from './grants'

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
