import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { appConfig } from '#config/app-config'
import { nearestName } from '#config/nearest-name'
import { Problem } from '#http/problems'
import { count } from '#metrics/metrics'
import { counts } from '#rate-limits/counts'
import type { Limit, RateLimit } from '#rate-limits/stored-count'

export type { Limit, RateLimit } from '#rate-limits/stored-count'

/** `seconds` until the limit is reset. */
export type RateLimitResult = {
  allowed: boolean
  limit: number
  remaining: number
  seconds: number
}

const declared = new Set<string>()

/** So that a misspelled name in `src/plinth.config.ts` is found. */
export function declareLimits(...names: string[]): void {
  for (const name of names) declared.add(name)
}

/** The declared limit, or that of `src/plinth.config.ts`. */
export function configuredLimit(name: string, rateLimit: RateLimit): RateLimit {
  return appConfig().limits[name] ?? rateLimit
}

/** Names in `src/plinth.config.ts` that no limit has, with the one that was probably meant. */
export function unknownLimits(): { name: string; meant: string | undefined }[] {
  return Object.keys(appConfig().limits)
    .filter((name) => !declared.has(name) && !mailLimit.test(name))
    .map((name) => ({ name, meant: nearestName(name, declared) }))
}

/** The names of limits that end with the purpose of a mail. */
const mailLimit = /^mail\.(ip|pair|recipient)\./

/** Counts one use. Limits with different names count separately. */
export async function checkRateLimit(
  name: string,
  rateLimit: RateLimit,
  key: string,
): Promise<RateLimitResult> {
  const limit = { name, rateLimit: configuredLimit(name, rateLimit), key }
  const { changed } = await counts().change([{ limit, by: 1 }])
  const { uses, seconds } = changed[0] ?? { uses: 0, seconds: 0 }
  const { times } = limit.rateLimit
  if (uses > times) countRefusal(name)
  return {
    allowed: uses <= times,
    limit: times,
    remaining: Math.max(0, times - uses),
    seconds: Math.max(1, seconds),
  }
}

export function countRefusal(name: string): void {
  count('plinth_rate_limited_total', { limit: name })
}

export async function resetUses(limit: Limit): Promise<void> {
  await counts().reset(limit)
}

export function tooManyRequests({ limit, remaining, seconds }: RateLimitResult): Problem {
  return tooManyAttempts(seconds, {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(seconds),
  })
}

/** Not because of what this caller did: the server has too much to do. */
export function tooBusy(): Problem {
  return tooManyAttempts(1)
}

function tooManyAttempts(seconds: number, headers: Record<string, string> = {}): Problem {
  return new Problem('rate_limited', {
    detail: `Too many attempts. ${retryIn(seconds)}`,
    headers: { 'retry-after': String(seconds), ...headers },
  })
}

/** "Try again in 40 seconds." Rounded up, so that it is never too early. */
export function retryIn(seconds: number): string {
  if (seconds <= 0) return 'You can try again now.'
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `Try again in ${count === 1 ? `a ${unit}` : `${count} ${unit}s`}.`
}

/**
 * The key that rate limits count by: an IPv4 address, or the /64 prefix of an IPv6 address. One customer of
 * a provider has a whole /64 and could use a new address for each request.
 */
export function ipRange(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [before = '', after] = ip.split('::')
  const head = groups(before)
  const tail = groups(after ?? '')
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`
}

function groups(part: string): string[] {
  return part === '' ? [] : part.split(':')
}

/** A fixed length, and no email in the table of counts. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
