import { isIP } from 'node:net'
import { record } from '#audit/record'
import { findUserId } from '#auth/accounts/account-mail'
import { emailField } from '#auth/accounts/fields'
import { print, runCommand, UsageError } from '#commands/command'
import { type Env, env, StartupError } from '#config/env'
import { database, setConnection } from '#db/client'
import { openDatabase } from '#db/open'
import { clientIp } from '#http/headers'
import { counts } from '#rate-limits/counts'
import { hashKey, ipRange } from '#rate-limits/rate-limit'
import { connectRateLimits, disconnectRedis, isRedisUp } from '#rate-limits/redis-counts'

/** `npm run limits -- clear`: lets an IP address or an email try again at once. */
export function limitsCommand(args: string[]): Promise<void> {
  return runCommand('clearing rate limits failed', async () => {
    const subject = readSubject(args)
    try {
      await clearLimits(subject)
    } finally {
      disconnectRedis()
    }
  })
}

async function clearLimits(subject: Subject): Promise<void> {
  const settings = env()
  if (settings.embedded && !settings.REDIS_URL) {
    throw new StartupError(
      'On the embedded database rate limits are counted in the memory of the server. Restart it to clear all of them.',
    )
  }
  // A running server has locked the embedded one, and Redis has the counts.
  if (!settings.embedded) setConnection(await openDatabase(settings))
  await connectRateLimits()
  if (isRedisUp() === false) {
    throw new StartupError('REDIS_URL: Redis is unavailable. Nothing was cleared.')
  }
  const cleared = await counts().clear(await partsOf(subject, settings))
  if (!settings.embedded) {
    await record(database(), {
      action: 'clear_rate_limits',
      outcome: 'success',
      ip: 'command line',
      requestId: '',
      details: { of: subject.kind, cleared },
    })
  }
  print(`Cleared ${cleared === 1 ? '1 count' : `${cleared} counts`}.`)
}

type Subject = { kind: 'ip' | 'email'; value: string }

function readSubject([command, typed = '', ...rest]: string[]): Subject {
  const value = clientIp(typed, undefined)
  if (command === 'clear' && rest.length === 0) {
    if (isIP(value)) return { kind: 'ip', value }
    const { data } = emailField.safeParse(typed)
    if (data !== undefined) return { kind: 'email', value: data }
  }
  throw new UsageError('Usage: npm run limits -- clear <IP address or email>')
}

/** Keys of counts contain these parts. An IPv6 address counts with its /64. */
async function partsOf({ kind, value }: Subject, { embedded }: Env): Promise<string[]> {
  if (kind === 'ip') return [ipRange(value)]
  const userId = embedded ? undefined : await findUserId(database(), value)
  return [hashKey(value), ...(userId ? [userId] : [])]
}
