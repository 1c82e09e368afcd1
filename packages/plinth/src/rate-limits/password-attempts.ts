import type { Scope } from '#http/scope'
import { startAttempt } from '#rate-limits/attempts-in-flight'
import { knownDevice } from '#rate-limits/known-devices'
import { oneAtATime } from '#rate-limits/one-at-a-time'
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

/** The limit that takes longest among the limits that are reached. */
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
