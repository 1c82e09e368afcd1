import { isIP } from 'node:net'
import nextEnv from '@next/env'
import { record } from 'plinth/audit/record'
import { findUserId } from 'plinth/auth/accounts/account-mail'
import { emailField } from 'plinth/auth/accounts/fields'
import { type Env, env, StartupError } from 'plinth/config/env'
import { closeConnection, database, setConnection } from 'plinth/db/client'
import { openDatabase } from 'plinth/db/open'
import { clientIp } from 'plinth/http/headers'
import { flushLog, log } from 'plinth/log/log'
import { counts } from 'plinth/rate-limits/counts'
import { hashKey, ipRange } from 'plinth/rate-limits/rate-limit'
import { connectRateLimits, disconnectRedis, isRedisUp } from 'plinth/rate-limits/redis-counts'
import { explainStartupError } from 'plinth/server/console'

/** `npm run limits -- clear`: lets an IP address or an email try again at once. */

nextEnv.loadEnvConfig(process.cwd(), false, { info: () => {}, error: () => {} })

let usageError = false

try {
  const subject = readSubject(process.argv.slice(2))
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
  process.stdout.write(`Cleared ${cleared === 1 ? '1 count' : `${cleared} counts`}.\n`)
} catch (error) {
  const message = explainStartupError(error)
  if (message === undefined) log().fatal({ err: error }, 'clearing rate limits failed')
  else process.stderr.write(`${message}\n`)
  process.exitCode = usageError ? 2 : 1
} finally {
  if (!usageError) disconnectRedis()
  await closeConnection()
  flushLog()
}

type Subject = { kind: 'ip' | 'email'; value: string }

function readSubject([command, typed = '', ...rest]: string[]): Subject {
  const value = clientIp(typed, undefined)
  if (command === 'clear' && rest.length === 0) {
    if (isIP(value)) return { kind: 'ip', value }
    const { data } = emailField.safeParse(typed)
    if (data !== undefined) return { kind: 'email', value: data }
  }
  usageError = true
  throw new StartupError('Usage: npm run limits -- clear <IP address or email>')
}

/** What keys of counts are made of. An IPv6 address counts with its /64. */
async function partsOf({ kind, value }: Subject, { embedded }: Env): Promise<string[]> {
  if (kind === 'ip') return [ipRange(value)]
  const userId = embedded ? undefined : await findUserId(database(), value)
  return [hashKey(value), ...(userId ? [userId] : [])]
}
