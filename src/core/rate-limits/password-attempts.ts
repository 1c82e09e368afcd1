import 'server-only'
import type { Scope } from '@/core/http/scope'
import { countAccountFailure, slowDownAccount } from '@/core/rate-limits/account-failures'
import { startAttempt } from '@/core/rate-limits/attempts-in-flight'
import { hashKey } from '@/core/rate-limits/hash-key'
import { ipRange } from '@/core/rate-limits/ip-range'
import { knownDevice } from '@/core/rate-limits/known-device'
import { oneAtATime } from '@/core/rate-limits/one-at-a-time'
import {
  countUse,
  type RateLimit,
  type RateLimitResult,
  readUses,
  resetUses,
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
    const { inFlight, end } = await startAttempt(limits.key)
    try {
      const refused =
        (await findReached([...limits.failures, limits.successes], inFlight)) ??
        (known ? undefined : await slowDownAccount(account))
      if (refused) return { refused }
      const result = await attempt()
      if (result === undefined) {
        const everywhere = known ? [] : [countAccountFailure(account)]
        await Promise.all([...limits.failures.map(count), ...everywhere])
      } else {
        await Promise.all([count(limits.successes), ...limits.resetOnSuccess.map(reset)])
      }
      return { result }
    } finally {
      await end()
    }
  })
}

type Limit = { name: string; rateLimit: RateLimit; key: string }

function limitsOf(range: string, account: string, known: string | undefined) {
  const accountFromRange = hashKey(`${range} ${account}`)
  const byRange = { name: 'failures.ip', rateLimit: failures, key: range }
  const byAccount = { name: 'failures.account', rateLimit: failures, key: accountFromRange }
  const byDevice = {
    name: 'failures.device',
    rateLimit: failures,
    key: hashKey(`${known} ${account}`),
  }
  return {
    key: known ? byDevice.key : range,
    failures: known ? [byDevice] : [byRange, byAccount],
    resetOnSuccess: [known ? byDevice : byAccount],
    successes: { name: 'successes', rateLimit: successes, key: accountFromRange },
  }
}

/** Of the limits that are reached, the one that takes longest. */
async function findReached(
  limits: Limit[],
  inFlight: number,
): Promise<RateLimitResult | undefined> {
  const results = await Promise.all(limits.map((limit) => check(limit, inFlight)))
  return results
    .filter(({ allowed }) => !allowed)
    .toSorted((one, other) => other.seconds - one.seconds)[0]
}

async function check({ name, rateLimit, key }: Limit, inFlight: number): Promise<RateLimitResult> {
  const { times } = rateLimit
  const { uses, seconds } = await readUses(name, rateLimit, key)
  return {
    allowed: uses + inFlight <= times,
    limit: times,
    remaining: Math.max(0, times - uses - inFlight),
    // Attempts in flight elsewhere end within a second, and may succeed.
    seconds: uses < times ? 1 : seconds,
  }
}

function count({ name, rateLimit, key }: Limit): Promise<void> {
  return countUse(name, rateLimit, key)
}

function reset({ name, rateLimit, key }: Limit): Promise<void> {
  return resetUses(name, rateLimit, key)
}
