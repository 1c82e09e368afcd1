import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { authSecrets } from '#config/env'
import { isConnectionLost } from '#db/errors'
import type { Scope } from '#http/scope'
import { startAttempt } from '#rate-limits/attempts-in-flight'
import {
  checkRateLimit,
  configuredLimit,
  countRefusal,
  declareLimits,
  hashKey,
  ipRange,
  type RateLimit,
  type RateLimitResult,
  resetUses,
} from '#rate-limits/rate-limit'
import type { Limit, Uses } from '#rate-limits/stored-count'

const failures = { times: 10, seconds: 10 * 60 }
const successes = { times: 300, seconds: 10 * 60 }

type Attempt<Result> =
  | { refused: RateLimitResult }
  | { refused?: never; result: Result | undefined }

/**
 * The limits of all forms that check a password. Ten failures in ten minutes per IP, and per account
 * from one IP. A device that has signed in to the account before has ten of its own instead, so that
 * neither its neighbors nor a distributed attack on the account lock the owner out. Successes are
 * limited because they cost a hash too.
 *
 * Failures are counted when they have happened: a process that dies during an attempt leaves none
 * behind. Attempts in flight in other instances count as if they would fail, so that concurrent ones
 * do not exceed the limit. `attempt` returns undefined if it failed; if it throws, it does not count.
 */
export function attemptPassword<Result>(
  { ip, device }: Pick<Scope, 'ip' | 'device'>,
  account: string,
  attempt: () => Promise<Result | undefined>,
): Promise<Attempt<Result>> {
  const known = knownDevice(device, account)
  const limits = limitsOf(ipRange(ip), account, known)
  return oneAtATime(limits.key, async () => {
    const { inFlight, uses, end } = await startAttempt(limits.key, limits.read)
    const usesOf = (limit: Limit) => uses[limits.read.indexOf(limit)] ?? { uses: 0, seconds: 0 }
    let counted: Limit[] = []
    try {
      const refused =
        findReached(limits.checked.map((limit) => check(limit, usesOf(limit), inFlight))) ??
        (known ? undefined : await slowDownAccount(account, usesOf(limits.everywhere)))
      if (refused) return { refused }
      const result = await attempt()
      if (result === undefined) counted = limits.failures
      else {
        counted = [limits.successes]
        if (usesOf(limits.own).uses > 0) await resetUses(limits.own)
      }
      return { result }
    } finally {
      await end(counted)
    }
  })
}

declareLimits('failures.ip', 'failures.account', 'failures.device', 'successes')
declareLimits('account-failures', 'account-slowed-down')

function limitsOf(range: string, account: string, known: string | undefined) {
  // Parts of their own, so that an operator can clear the counts of an IP or an email.
  const accountFromRange = `${range} ${hashKey(account)}`
  const byRange = limitOf('failures.ip', failures, range)
  const byAccount = limitOf('failures.account', failures, accountFromRange)
  const device = `${hashKey(`${known}`)} ${hashKey(account)}`
  const byDevice = limitOf('failures.device', failures, device)
  const everywhere = accountFailures(account)
  const limitSuccesses = limitOf('successes', successes, accountFromRange)
  const checked = [...(known ? [byDevice] : [byRange, byAccount]), limitSuccesses]
  return {
    key: known ? byDevice.key : range,
    checked,
    read: known ? checked : [...checked, everywhere],
    failures: known ? [byDevice] : [byRange, byAccount, everywhere],
    successes: limitSuccesses,
    everywhere,
    /** A success resets it. */
    own: known ? byDevice : byAccount,
  }
}

/** Of the limits that are reached, the one that takes longest. */
function findReached(results: RateLimitResult[]): RateLimitResult | undefined {
  return results
    .filter(({ allowed }) => !allowed)
    .toSorted((one, other) => other.seconds - one.seconds)[0]
}

function check(
  { name, rateLimit }: Limit,
  { uses, seconds }: Uses,
  inFlight: number,
): RateLimitResult {
  const { times } = rateLimit
  const allowed = uses + inFlight <= times
  if (!allowed) countRefusal(name)
  return {
    allowed,
    limit: times,
    remaining: Math.max(0, times - uses - inFlight),
    // Attempts in flight elsewhere end within a second, and may succeed.
    seconds: uses < times ? 1 : seconds,
  }
}

/** From any number of IPs. After that, devices that never signed in to the account are slowed down. */
const accountLimit = { times: 100, seconds: 60 * 60 }

/** For all of those devices together. A short window, so that it never becomes a lock. */
const slowedDown = { times: 5, seconds: 60 }

function accountFailures(account: string): Limit {
  return limitOf('account-failures', accountLimit, hashKey(account))
}

function limitOf(name: string, rateLimit: RateLimit, key: string): Limit {
  return { name, rateLimit: configuredLimit(name, rateLimit), key }
}

/** An account that does not exist is slowed down alike: the response must not reveal which do. */
async function slowDownAccount(
  account: string,
  { uses }: Uses,
): Promise<RateLimitResult | undefined> {
  if (uses < configuredLimit('account-failures', accountLimit).times) return undefined
  const result = await checkRateLimit('account-slowed-down', slowedDown, hashKey(account))
  return result.allowed ? undefined : result
}

/** The error with which the database was lost, if it was. */
type Settled = { lost?: unknown }

/**
 * Runs the work of one key in the order of its arrival. Each attempt then sees the failures of those
 * before it, so that a burst gets exact limits and times to wait. If an attempt loses the database,
 * those that wait fail with it: each would wait for the database in turn.
 */
export async function oneAtATime<Result>(
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const previous = last.get(key)
  const current = previous ? previous.then((settled) => runAfter(settled, work)) : work()
  const settled = current.then(
    () => ({}),
    (error: unknown) => (isConnectionLost(error) ? { lost: error } : {}),
  )
  last.set(key, settled)
  try {
    return await current
  } finally {
    if (last.get(key) === settled) last.delete(key)
  }
}

const last = new Map<string, Promise<Settled>>()

async function runAfter<Result>({ lost }: Settled, work: () => Promise<Result>): Promise<Result> {
  if (lost) throw lost
  return work()
}

/** A browser's random id, and a signature for each account that it has signed in to, newest first. */
type Device = { id: string; signatures: string[] }

const maxAccounts = 5

/**
 * The id of the device if it has signed in to this account before. For any other account the cookie
 * says nothing: an attacker's own account gives no tries against others.
 *
 * A new password does not change this. The cookie only exempts its holder from limits that others
 * have used up, and a thief who has a copy gets ten tries in ten minutes. If it did, an attack on
 * the account would lock out the other devices of an owner who changes the password because of it.
 */
export function knownDevice(cookie: string | undefined, account: string): string | undefined {
  const device = parseDevice(cookie)
  return device?.signatures.some((signature) => isValid(device.id, account, signature))
    ? device.id
    : undefined
}

/** The cookie's new value after a sign-in. It contains no email. */
export function rememberAccount(cookie: string | undefined, account: string): string {
  const { id, signatures } = parseDevice(cookie) ?? newDevice()
  const others = signatures.filter((signature) => !isValid(id, account, signature))
  const [secret = ''] = authSecrets()
  return [id, sign(secret, id, account), ...others.slice(0, maxAccounts - 1)].join('.')
}

/** @public For modules that recognize a browser. */
export function deviceId(cookie: string): string {
  return cookie.split('.', 1)[0] ?? ''
}

function newDevice(): Device {
  return { id: randomBytes(16).toString('base64url'), signatures: [] }
}

function parseDevice(cookie: string | undefined): Device | undefined {
  if (cookie === undefined || !/^[\w-]{22}(\.[\w-]{43}){1,5}$/.test(cookie)) return undefined
  const [id = '', ...signatures] = cookie.split('.')
  return { id, signatures }
}

function isValid(id: string, account: string, signature: string): boolean {
  return authSecrets().some((secret) =>
    timingSafeEqual(Buffer.from(sign(secret, id, account)), Buffer.from(signature)),
  )
}

function sign(secret: string, id: string, account: string): string {
  return createHmac('sha256', secret).update(`plinth.device ${id} ${account}`).digest('base64url')
}
