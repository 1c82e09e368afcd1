import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLink, findLink, type LinkPurpose } from '#auth/accounts/links'
import { createDemoAccounts } from '#auth/accounts/users'
import { findSession } from '#auth/sessions/cache'
import { hashToken } from '#auth/sessions/cookie'
import { isRecentSignIn } from '#auth/sessions/read'
import { appConfig } from '#config/app-config'
import { rowsOf } from '#db/client'
import { readDatabaseTime } from '#db/clock'
import { sessions, verificationTokens } from '#db/schema'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'

const db = testDatabase()
const minuteMs = 60 * 1000
const hourMs = 60 * minuteMs
const { idle } = appConfig().sessions

beforeAll(() => createDemoAccounts(db.database))
afterEach(() => {
  vi.useRealTimers()
})

/** The embedded database has the clock of this machine, so on it nothing differs. */
describe.each([
  ['behind', -2 * hourMs],
  ['ahead', 2 * hourMs],
])('with the clock of this machine two hours %s', (_, offsetMs) => {
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offsetMs })
    // As at startup.
    await readDatabaseTime(db.connection)
  })

  test.each([
    ['verify_email', 24],
    ['reset_password', 1],
    ['invitation', 7 * 24],
  ] as const)('a link to %s works for %i hours', async (purpose, hours) => {
    const link = { email: `${purpose}@example.com`, userId: null }
    const token = await createLink(db.database, purpose, link)
    expect(await findLink(purpose, token)).toEqual(link)
    await ageLink(purpose, hours * 60 - 1)
    expect(await findLink(purpose, token)).toEqual(link)
    await ageLink(purpose, 2)
    expect(await findLink(purpose, token)).toBeUndefined()
  })

  test('a session and its cookie last as long as they should', async () => {
    const { token, cookie, remainingMs } = await signIn()
    const seconds = Math.round((await remainingMs()) / 1000)
    expect(Math.abs(seconds - idle / 1000)).toBeLessThan(60)
    expect(Math.abs(Number(/Max-Age=(\d+)/.exec(cookie)?.[1]) - seconds)).toBeLessThan(60)
    await ageSession(token, idle)
    expect(await findSession(token)).toBeUndefined()
  })

  test('a session is extended when that gains a day, or a tenth of its idle time', async () => {
    const gain = Math.min(24 * hourMs, idle / 10)
    const { client, token, remainingMs } = await signIn()
    await ageSession(token, 0.9 * gain)
    await client.session()
    expect((await remainingMs()) / hourMs).toBeCloseTo((idle - 0.9 * gain) / hourMs, 1)
    await ageSession(token, 0.2 * gain)
    await client.session()
    expect((await remainingMs()) / hourMs).toBeCloseTo(idle / hourMs, 1)
  })

  test('a sign-in is recent for ten minutes', async () => {
    const { token } = await signIn()
    expect(await signedInRecently(token)).toBe(true)
    await ageSession(token, 9 * minuteMs)
    expect(await signedInRecently(token)).toBe(true)
    await ageSession(token, 2 * minuteMs)
    expect(await signedInRecently(token)).toBe(false)
  })
})

async function signIn() {
  const client = newClient()
  const response = await client.signIn('viewer@example.com')
  const token = client.cookies.get('authjs.session-token') ?? ''
  const query = sql`select (extract(epoch from expires_at - clock_timestamp()) * 1000)::float8 as ms
    from sessions where token_hash = ${sql.param(hashToken(token), sessions.tokenHash)}`
  return {
    client,
    token,
    cookie: response.headers.getSetCookie().find((line) => line.includes(token)) ?? '',
    remainingMs: async () => rowsOf<{ ms: number }>(await db.database.execute(query))[0]?.ms ?? 0,
  }
}

async function signedInRecently(token: string): Promise<boolean | undefined> {
  const session = await findSession(token)
  return session && isRecentSignIn(session)
}

function ageLink(purpose: LinkPurpose, minutes: number) {
  return db.database
    .update(verificationTokens)
    .set({ expiresAt: sql`expires_at - ${minutes}::float8 * interval '1 minute'` })
    .where(eq(verificationTokens.purpose, purpose))
}

function ageSession(token: string, ms: number) {
  const by = sql`${ms}::float8 * interval '1 millisecond'`
  return db.database
    .update(sessions)
    .set({
      createdAt: sql`created_at - ${by}`,
      expiresAt: sql`expires_at - ${by}`,
      authenticatedAt: sql`authenticated_at - ${by}`,
    })
    .where(eq(sessions.tokenHash, hashToken(token)))
}
