import { randomBytes } from 'node:crypto'

/** In a /64 of its own, so that no other test or earlier run has used up its rate limits. */
export function randomIp(): string {
  const [one, other] = randomBytes(4).toString('hex').match(/.{4}/g) ?? []
  return `2001:db8:${one}:${other}::1`
}
