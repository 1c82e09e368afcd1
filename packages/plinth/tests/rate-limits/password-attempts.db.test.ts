import { afterEach, describe, expect, test, vi } from 'vitest'
import { startAttempt } from '#rate-limits/attempts-in-flight'
import { rememberAccount } from '#rate-limits/known-devices'
import { attemptPassword } from '#rate-limits/password-attempts'
import { ipRange } from '#rate-limits/rate-limit'
import { onPostgres, testDatabase } from '#testing/database/database'
import { randomIp } from '#testing/server/call-action'
import { configure } from '#testing/settings'
import { controlLimitTime, passLimitTime } from '../support/limit-time'

testDatabase()

// So that the counts are in the database.
configure(onPostgres ? { DATABASE_URL: 'postgres://127.0.0.1/unused' } : {})

type Caller = Parameters<typeof attemptPassword>[0]

let accounts = 0

function newAccount(): string {
  accounts += 1
  return `user${accounts}@example.com`
}

const fail = async (): Promise<true | undefined> => undefined
const succeed = async (): Promise<true | undefined> => true

/** `failed`, `succeeded` or the seconds to wait. */
async function attempt(caller: Caller, account: string, run = fail) {
  const { refused, result } = {
    result: undefined,
    ...(await attemptPassword(caller, account, run)),
  }
  return refused ? refused.seconds : result ? 'succeeded' : 'failed'
}

async function repeat(times: number, run: () => Promise<unknown>) {
  for (let count = 0; count < times; count += 1) await run()
}

afterEach(() => {
  vi.useRealTimers()
})

describe('ten failures in ten minutes', () => {
  test('from a /64 are all it has, with the exact time to wait', async () => {
    controlLimitTime()
    const ip = randomIp()
    for (let host = 1; host <= 10; host += 1) {
      expect(await attempt({ ip: ip.replace('::1', `::${host}:${host}`) }, newAccount())).toBe(
        'failed',
      )
    }
    await passLimitTime(200_000)
    const wait = await attempt({ ip }, newAccount(), succeed)
    expect(wait).toBeGreaterThan(390)
    expect(wait).toBeLessThanOrEqual(400)
    await passLimitTime(Number(wait) * 1000)
    expect(await attempt({ ip }, newAccount(), succeed)).toBe('succeeded')
  })

  test('are not exceeded by concurrent attempts', async () => {
    const caller = { ip: randomIp() }
    const account = newAccount()
    const all = await Promise.all(Array.from({ length: 30 }, () => attempt(caller, account)))
    expect(all.slice(0, 10)).toEqual(Array(10).fill('failed'))
    for (const wait of all.slice(10)) expect(wait).toBeGreaterThan(590)
  })

  test('are not exceeded by attempts in flight elsewhere, which are forgotten with their process', async () => {
    controlLimitTime()
    const caller = { ip: randomIp() }
    const account = newAccount()
    await attempt(caller, account)
    await repeat(8, () => startAttempt(ipRange(caller.ip)))
    expect(await attempt(caller, account, succeed)).toBe('succeeded')
    await startAttempt(ipRange(caller.ip))
    expect(await attempt(caller, account, succeed)).toBe(1)
    await passLimitTime(10_000)
    await repeat(9, async () => expect(await attempt(caller, account)).toBe('failed'))
    expect(await attempt(caller, account)).toBeGreaterThan(580)
  })

  test('do not include attempts that threw', async () => {
    const caller = { ip: randomIp() }
    const broken = () => Promise.reject(new Error('unavailable'))
    await repeat(11, () =>
      expect(attempt(caller, newAccount(), broken)).rejects.toThrow('unavailable'),
    )
    expect(await attempt(caller, newAccount())).toBe('failed')
  })
})

test('the 301st success of an account from one IP is refused', async () => {
  const caller = { ip: randomIp() }
  const account = newAccount()
  await repeat(300, () => attempt(caller, account, succeed))
  expect(await attempt(caller, account, succeed)).toBeGreaterThan(500)
  expect(await attempt(caller, newAccount(), succeed)).toBe('succeeded')
  expect(await attempt({ ip: randomIp() }, account, succeed)).toBe('succeeded')
})

describe('a hundred failures against an account from everywhere', () => {
  test('slow it down, but not for devices that signed in to it', async () => {
    controlLimitTime()
    const account = newAccount()
    const owner = { ip: randomIp(), device: rememberAccount(undefined, account) }
    const attacker = () => ({ ip: randomIp() })
    await repeat(100, async () => expect(await attempt(attacker(), account)).toBe('failed'))
    await repeat(5, async () => expect(await attempt(attacker(), account)).toBe('failed'))
    const wait = await attempt(attacker(), account, succeed)
    expect(wait).toBeGreaterThan(30)
    expect(wait).toBeLessThanOrEqual(60)
    expect(await attempt(owner, account, succeed)).toBe('succeeded')
    expect(await attempt(attacker(), newAccount(), succeed)).toBe('succeeded')
    await passLimitTime(Number(wait) * 1000)
    expect(await attempt(attacker(), account, succeed)).toBe('succeeded')
  })
})

describe('a device that signed in to the account', () => {
  test('is not refused because of other failures from its IP', async () => {
    const account = newAccount()
    const office = { ip: randomIp() }
    const colleague = { ...office, device: rememberAccount(undefined, account) }
    await repeat(11, () => attempt(office, account))
    expect(await attempt(office, account, succeed)).toBeGreaterThan(500)
    expect(await attempt(colleague, account, succeed)).toBe('succeeded')
  })

  test('has ten failures of its own, from any IP, which the IP does not have', async () => {
    const account = newAccount()
    const device = rememberAccount(undefined, account)
    const ip = randomIp()
    await repeat(9, () => attempt({ ip: randomIp(), device }, account))
    expect(await attempt({ ip, device }, account)).toBe('failed')
    expect(await attempt({ ip: randomIp(), device }, account, succeed)).toBeGreaterThan(500)
    expect(await attempt({ ip }, account, succeed)).toBe('succeeded')
  })

  test('has ten again after a success', async () => {
    const account = newAccount()
    const caller = { ip: randomIp(), device: rememberAccount(undefined, account) }
    await repeat(9, () => attempt(caller, account))
    expect(await attempt(caller, account, succeed)).toBe('succeeded')
    await repeat(10, async () => expect(await attempt(caller, account)).toBe('failed'))
    expect(await attempt(caller, account)).toBeGreaterThan(500)
  })

  test('has no tries against other accounts', async () => {
    const attacker = { ip: randomIp(), device: rememberAccount(undefined, newAccount()) }
    await repeat(10, () => attempt(attacker, newAccount()))
    expect(await attempt(attacker, newAccount(), succeed)).toBeGreaterThan(500)
  })
})
