import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { auditEvents } from '#db/schema'
import { run } from '#testing/program'
import { randomIp } from '#testing/server/call-action'
import { engineCommand } from '#testing/server/engine-command'
import { runningServer } from '#testing/server/running-server'

const stores = {
  PostgreSQL: {},
  ...(process.env.TEST_REDIS_URL ? { Redis: { REDIS_URL: process.env.TEST_REDIS_URL } } : {}),
}

async function limits(settings: Record<string, string>, args: string[]) {
  const program = run(...engineCommand('limits', ...args), {
    NODE_ENV: 'production',
    LOG_LEVEL: 'silent',
    ...settings,
  })
  return { code: await program.exited, output: program.output().trim() }
}

describe.each(Object.entries(stores))('with the counts in %s', (_, settings) => {
  const running = runningServer({ ...settings, TRUST_PROXY: '1' })

  async function signIn(ip: string, email: string): Promise<number> {
    const response = await fetch(`${running.url}/api/auth/signin`, {
      method: 'POST',
      body: JSON.stringify({ email, password: 'wrong' }),
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
    })
    return response.status
  }

  async function exhaust(ip: string, email: string): Promise<void> {
    for (let count = 0; count < 10; count += 1) expect(await signIn(ip, email)).toBe(401)
    expect(await signIn(ip, email)).toBe(429)
  }

  const clear = (...args: string[]) =>
    limits({ ...running.fresh.settings, ...settings }, ['clear', ...args])

  test('an IP address can try again, and others stay limited', async () => {
    const [ip, other] = [randomIp(), randomIp()]
    await exhaust(ip, 'ada@example.com')
    await exhaust(other, 'eve@example.com')
    expect(await clear(ip)).toEqual({
      code: 0,
      output: expect.stringMatching(/^Cleared \d+ counts\.$/),
    })
    expect(await signIn(ip, 'ada@example.com')).toBe(401)
    expect(await signIn(other, 'eve@example.com')).toBe(429)
    expect(await clear('192.0.2.77')).toEqual({ code: 0, output: 'Cleared 0 counts.' })
  })

  test('an email is slowed down no more, and the audit log has it without the email', async () => {
    const email = `user-${randomIp().replaceAll(':', '')}@example.com`
    for (let count = 0; count < 101; count += 1) expect(await signIn(randomIp(), email)).toBe(401)
    // All devices that never signed in to the account share five attempts in a minute.
    for (let count = 0; count < 4; count += 1) expect(await signIn(randomIp(), email)).toBe(401)
    expect(await signIn(randomIp(), email)).toBe(429)
    expect((await clear(email.toUpperCase())).code).toBe(0)
    expect(await signIn(randomIp(), email)).toBe(401)
    const events = await running.database
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.action, 'clear_rate_limits'))
    expect(events.at(-1)).toMatchObject({ ip: 'command line', details: { of: 'email' } })
    expect(JSON.stringify(events)).not.toContain('@')
  })
})

test.each([[], ['clear'], ['clear', 'nobody'], ['list'], ['clear', '192.0.2.1', 'x']])(
  'rejects the arguments %j',
  async (...args) => {
    expect(await limits({ DATABASE_URL: '' }, args)).toEqual({
      code: 2,
      output: 'Usage: npm run limits -- clear <IP address or email>',
    })
  },
)

test('says what to do on the embedded database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-limits-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const settings = { DATABASE_URL: '', REDIS_URL: '', DATA_DIR: folder }
  expect(await limits(settings, ['clear', '192.0.2.1'])).toEqual({
    code: 1,
    output: expect.stringMatching(
      /in the memory of the server\. Restart it to clear all of them\.$/,
    ),
  })
})

test('says that Redis is unavailable, and clears nothing', async () => {
  const settings = { DATABASE_URL: '', REDIS_URL: 'redis://:hunter2@127.0.0.1:1' }
  expect(await limits(settings, ['clear', '192.0.2.1'])).toEqual({
    code: 1,
    output: 'REDIS_URL: Redis is unavailable. Nothing was cleared.',
  })
})
