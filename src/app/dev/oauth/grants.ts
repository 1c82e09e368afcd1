import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { singleton } from '@/core/singleton'

/** Whom the developer chose to be. */
export type Person = { id: number; name: string; email: string; verified: boolean }

/** What the product asked for when it sent the browser here. */
type Question = { redirectUri: string; challenge: string }

type Grant = Question & { person: Person; provider: string }

const grants = singleton('dev.oauth', () => ({
  codes: new Map<string, Grant>(),
  tokens: new Map<string, Person>(),
}))

export function newCode(grant: Grant): string {
  const code = randomBytes(32).toString('base64url')
  grants.codes.set(code, grant)
  return code
}

/** Once only, for whoever knows what the challenge was made of. */
export function redeem(
  code: string,
  { provider, redirectUri, verifier }: { provider: string; redirectUri: string; verifier: string },
): { accessToken: string; person: Person } | undefined {
  const grant = grants.codes.get(code)
  grants.codes.delete(code)
  if (grant?.provider !== provider || grant.redirectUri !== redirectUri) return undefined
  const made = createHash('sha256').update(verifier).digest()
  const asked = Buffer.from(grant.challenge, 'base64url')
  if (made.length !== asked.length || !timingSafeEqual(made, asked)) return undefined
  const accessToken = randomBytes(32).toString('base64url')
  grants.tokens.set(accessToken, grant.person)
  return { accessToken, person: grant.person }
}

export function personWith(accessToken: string): Person | undefined {
  return grants.tokens.get(accessToken)
}
