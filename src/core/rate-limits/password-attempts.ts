import 'server-only'
import type { Scope } from '@/core/http/scope'
import { accountFailures, slowDownAccount } from '@/core/rate-limits/account-failures'
import { startAttempt } from '@/core/rate-limits/attempts-in-flight'
import { hashKey } from '@/core/rate-limits/hash-key'
import { ipRange } from '@/core/rate-limits/ip-range'
import { knownDevice } from '@/core/rate-limits/known-device'
import { oneAtATime } from '@/core/rate-limits/one-at-a-time'
import {
  type Limit,
  type RateLimitResult,
  resetUses,
  type Uses,
} from '@/core/rate-limits/rate-limit'

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

function limitsOf(range: string, account: string, known: string | undefined) {
  const accountFromRange = hashKey(`${range} ${account}`)
  const byRange = { name: 'failures.ip', rateLimit: failures, key: range }
  const byAccount = { name: 'failures.account', rateLimit: failures, key: accountFromRange }
  const byDevice = {
    name: 'failures.device',
    rateLimit: failures,
    key: hashKey(`${known} ${account}`),
  }
  const everywhere = accountFailures(account)
  const limitSuccesses = { name: 'successes', rateLimit: successes, key: accountFromRange }
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

function check({ rateLimit }: Limit, { uses, seconds }: Uses, inFlight: number): RateLimitResult {
  const { times } = rateLimit
  return {
    allowed: uses + inFlight <= times,
    limit: times,
    remaining: Math.max(0, times - uses - inFlight),
    // Attempts in flight elsewhere end within a second, and may succeed.
    seconds: uses < times ? 1 : seconds,
  }
}
