import { createSign, generateKeyPairSync } from 'node:crypto'
import { singleton } from '@/core/singleton'
import type { Person } from './grants'

const keys = singleton('dev.oauth.keys', () => generateKeyPairSync('rsa', { modulusLength: 2048 }))

/** The key that the tokens are signed with, for whoever wants to check. */
export function publicKeys() {
  return { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] }
}

type Parties = { issuer: string; audience: string }

export function idToken({ id, name, email, verified }: Person, { issuer, audience }: Parties) {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: issuer,
    aud: audience,
    iat: now,
    exp: now + 300,
    sub: String(id),
    name,
    email,
    email_verified: verified,
  }
  const text = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(claims)}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(keys.privateKey, 'base64url')}`
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
