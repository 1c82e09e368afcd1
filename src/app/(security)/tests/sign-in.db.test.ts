import { eq } from 'drizzle-orm'
import { fromNow } from 'plinth/db/clock'
import { auditEvents, mailQueue, sessions } from 'plinth/db/schema'
import {
  databaseRows,
  giveAllProofs,
  newClient,
  snapshotDatabase,
  testDatabase,
} from 'plinth/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { removeAuthenticatorApp } from '../actions'
import { forgetBrowser } from '../data/factors/browsers'
import { codeAt, stepAt } from '../data/factors/totp'
import { rememberedBrowsers, signInChallenges } from '../schema'
import { addApp, newUser, nextCode, password, succeeded } from './users'

const db = testDatabase()
const { lastEvents } = databaseRows(db)

afterEach(async () => {
  await db.database.delete(mailQueue)
})

/** A user with an authenticator app, and a browser that has entered the password. */
async function startSignIn() {
  const user = await newUser(db.database)
  const { secret, codes } = await addApp(db.database, user.scope)
  await db.database.delete(sessions)
  await db.database.delete(mailQueue)
  const client = newClient()
  const response = await client.signIn(user.email, password)
  const { challenge, methods, code } = await response.json()
  expect({ status: response.status, code }).toEqual({
    status: 401,
    code: 'second_factor_required',
  })
  const verify = (fields: object) =>
    client.post('/api/auth/signin/verify', { challenge, redirect: false, ...fields })
  return { ...user, secret, codes, client, challenge, methods, verify }
}

const sessionCount = () => db.database.$count(sessions)

test('a user without a second factor signs in with the password alone', async () => {
  const { email } = await newUser(db.database)
  expect((await newClient().signIn(email, password)).status).toBe(200)
})

test('a code from the app completes the sign-in', async () => {
  const { email, secret, client, methods, verify } = await startSignIn()
  expect(methods).toEqual(['totp', 'recovery_code'])
  expect(await sessionCount()).toBe(0)
  const response = await verify({ method: 'totp', code: nextCode(secret), callbackUrl: '/home' })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ url: '/home', session: { user: { email } } })
  expect(await client.session()).toMatchObject({ user: { email } })
  expect(await lastEvents(1)).toMatchObject([
    { action: 'sign_in', outcome: 'success', details: { by: 'password', with: 'totp' } },
  ])
})

test('returns a token with transport bearer', async () => {
  const { secret, verify, client } = await startSignIn()
  const fields = { method: 'totp', code: nextCode(secret), transport: 'bearer' }
  const { token } = await (await verify(fields)).json()
  expect(await newClient().session({ authorization: `Bearer ${token}` })).not.toBeNull()
  expect([...client.cookies.keys()]).toEqual([])
})

test('a wrong code changes nothing and is audited', async () => {
  const { verify, id } = await startSignIn()
  const before = await withoutTries()
  const response = await verify({ method: 'totp', code: '000000' })
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ code: 'invalid_code' })
  expect(await withoutTries()).toBe(before)
  expect(await lastEvents(1)).toMatchObject([
    {
      action: 'sign_in',
      outcome: 'failure',
      targetId: id,
      details: { with: 'totp', reason: 'wrong_code' },
    },
  ])
})

/** All tables. A try is counted with its challenge. */
async function withoutTries(): Promise<string> {
  return (await snapshotDatabase(db.database)).replace(/"tries":\d/g, '')
}

test('a challenge has five tries, then the owner gets a mail', async () => {
  const { verify, secret, email } = await startSignIn()
  for (let tries = 0; tries < 5; tries += 1) await verify({ method: 'totp', code: '000000' })
  const response = await verify({ method: 'totp', code: nextCode(secret) })
  expect(await response.json()).toMatchObject({ code: 'sign_in_expired' })
  expect(await db.database.select().from(mailQueue)).toMatchObject([
    { email, purpose: 'security.notice', data: { kind: 'tries_used_up', name: 'password' } },
  ])
})

test('wrong codes are limited per account, whatever the challenge', async () => {
  const { email, secret } = await startSignIn()
  for (let count = 0; count < 2; count += 1) {
    const client = newClient()
    const { challenge } = await (await client.signIn(email, password)).json()
    const body = { challenge, method: 'totp', code: '000000' }
    for (let tries = 0; tries < 5; tries += 1) await client.post('/api/auth/signin/verify', body)
  }
  const client = newClient()
  const { challenge } = await (await client.signIn(email, password)).json()
  const body = { challenge, method: 'totp', code: nextCode(secret) }
  const response = await client.post('/api/auth/signin/verify', body)
  expect(response.status).toBe(429)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(500)
  expect(await sessionCount()).toBe(0)
})

test('a code works once', async () => {
  const { email, secret, verify } = await startSignIn()
  const code = nextCode(secret)
  expect((await verify({ method: 'totp', code })).status).toBe(200)
  const client = newClient()
  const { challenge } = await (await client.signIn(email, password)).json()
  const again = await client.post('/api/auth/signin/verify', { challenge, method: 'totp', code })
  expect(await again.json()).toMatchObject({ code: 'invalid_code' })
})

test('an expired challenge is refused, and so is an invented one', async () => {
  const { secret, verify } = await startSignIn()
  await db.database.update(signInChallenges).set({ expiresAt: new Date(Date.now() - 1000) })
  const code = nextCode(secret)
  for (const challenge of [{}, { challenge: 'invented' }, { challenge: 'a'.repeat(43) }]) {
    const response = await verify({ method: 'totp', code, ...challenge })
    expect(await response.json()).toMatchObject({ code: 'sign_in_expired' })
  }
  expect(await sessionCount()).toBe(0)
})

describe('of 50 parallel uses one wins:', () => {
  test('one challenge', async () => {
    const { secret, verify } = await startSignIn()
    const code = nextCode(secret)
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => verify({ method: 'totp', code })),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sessionCount()).toBe(1)
  })

  test.each(['totp', 'recovery_code'])('one code (%s)', async (method) => {
    const { email, secret, codes } = await startSignIn()
    const code = method === 'totp' ? nextCode(secret) : codes[0]
    const clients = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const client = newClient()
        const { challenge } = await (await client.signIn(email, password)).json()
        return () => client.post('/api/auth/signin/verify', { challenge, method, code })
      }),
    )
    const responses = await Promise.all(clients.map((verify) => verify()))
    expect(responses.filter(({ status }) => status < 400)).toHaveLength(1)
    expect(await sessionCount()).toBe(1)
  })
})

describe('a recovery code', () => {
  test('signs in once, is mailed about, and may be typed without dashes', async () => {
    const { email, codes, verify } = await startSignIn()
    expect(codes).toHaveLength(10)
    const code = codes[3]?.replaceAll('-', ' ').toUpperCase()
    expect((await verify({ method: 'recovery_code', code })).status).toBe(200)
    expect(await db.database.select().from(mailQueue)).toMatchObject([
      { email, data: { kind: 'code_used', left: 9 } },
    ])
    const client = newClient()
    const { challenge } = await (await client.signIn(email, password)).json()
    const body = { challenge, method: 'recovery_code', code }
    const again = await client.post('/api/auth/signin/verify', body)
    expect(await again.json()).toMatchObject({ code: 'invalid_code' })
  })
})

describe('a browser form', () => {
  const form = (fields: Record<string, string>) => ({
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
  })

  test('needs no script: the challenge is in a cookie', async () => {
    const { email, secret } = await startSignIn()
    const client = newClient()
    const typed = { email, password, callbackUrl: '/home' }
    const first = await client.send('/api/auth/signin', form(typed))
    expect(first.headers.get('location')).toBe('/sign-in/verify?callbackUrl=%2Fhome')
    const wrong = { method: 'totp', code: '000000', callbackUrl: '/home' }
    const refused = await client.send('/api/auth/signin/verify', form(wrong))
    expect(refused.headers.get('location')).toBe(
      '/sign-in/verify?error=invalid_code&method=totp&callbackUrl=%2Fhome',
    )
    const right = { ...wrong, code: nextCode(secret) }
    const done = await client.send('/api/auth/signin/verify', form(right))
    expect([done.status, done.headers.get('location')]).toEqual([303, '/home'])
    expect(await client.session()).toMatchObject({ user: { email } })
    expect([...client.cookies.keys()]).not.toContain('plinth.sign-in-challenge')
  })

  test('starts again after an expired challenge', async () => {
    const fields = { method: 'totp', code: '000000', callbackUrl: '/home' }
    const response = await newClient().send('/api/auth/signin/verify', form(fields))
    expect(response.headers.get('location')).toBe(
      '/sign-in?error=sign_in_expired&callbackUrl=%2Fhome',
    )
  })
})

test('challenges that do not exist are limited per IP, and so are their audit events', async () => {
  const client = newClient()
  const statuses = new Map<number, number>()
  const before = await db.database.$count(auditEvents)
  for (let count = 0; count < 125; count += 1) {
    const body = { challenge: 'x', method: 'totp', code: '000000' }
    const { status } = await client.post('/api/auth/signin/verify', body)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses]).toEqual([
    [401, 120],
    [429, 5],
  ])
  expect(await db.database.$count(auditEvents)).toBe(before + 120)
})

describe('a remembered browser', () => {
  async function remembered() {
    const user = await startSignIn()
    const body = { method: 'totp', code: nextCode(user.secret), rememberBrowser: true }
    expect((await user.verify(body)).status).toBe(200)
    return user
  }

  test('needs no second factor, another browser does', async () => {
    const { client, email } = await remembered()
    expect((await client.signIn(email, password)).status).toBe(200)
    expect((await newClient().signIn(email, password)).status).toBe(401)
  })

  test('needs it again after 30 days, and once it is forgotten', async () => {
    const { client, email, id } = await remembered()
    const isOwn = eq(rememberedBrowsers.userId, id)
    const [row] = await db.database.select().from(rememberedBrowsers).where(isOwn)
    const days = Number(row && row.expiresAt.getTime() - row.createdAt.getTime()) / 86_400_000
    expect(days).toBeCloseTo(30, 1)
    await db.database.update(rememberedBrowsers).set({ expiresAt: new Date() }).where(isOwn)
    expect((await client.signIn(email, password)).status).toBe(401)

    await db.database
      .update(rememberedBrowsers)
      .set({ expiresAt: fromNow(60_000) })
      .where(isOwn)
    expect((await client.signIn(email, password)).status).toBe(200)
    expect(await forgetBrowser(db.database, id, row?.id ?? '')).toBe(true)
    expect((await client.signIn(email, password)).status).toBe(401)
  })

  test('is not remembered for another user', async () => {
    const { client } = await remembered()
    const other = await newUser(db.database)
    await addApp(db.database, other.scope)
    expect((await client.signIn(other.email, password)).status).toBe(401)
  })

  test('is forgotten with a new password', async () => {
    const { client, email, id } = await remembered()
    const { storePassword } = await import('plinth/auth/passwords/user-password')
    const { hashPassword } = await import('plinth/auth/passwords/hash')
    const changed = 'other words in a row'
    await storePassword(db.database, id, await hashPassword(changed))
    expect((await client.signIn(email, changed)).status).toBe(401)
  })
})

test('a sign-in that was started with the old password cannot be completed', async () => {
  const { id, secret, verify } = await startSignIn()
  const { storePassword } = await import('plinth/auth/passwords/user-password')
  const { hashPassword } = await import('plinth/auth/passwords/hash')
  await storePassword(db.database, id, await hashPassword('other words in a row'))
  const response = await verify({ method: 'totp', code: nextCode(secret) })
  expect(await response.json()).toMatchObject({ code: 'sign_in_expired' })
})

test('after the last factor is removed the password alone signs in', async () => {
  const { email, scope } = await startSignIn()
  await db.database.insert(sessions).values({
    id: scope.session.id,
    userId: scope.session.user.id,
    tokenHash: Buffer.alloc(32, 1),
    expiresAt: scope.session.expiresAt,
  })
  await giveAllProofs(db.database, scope, 'remove_factor')
  succeeded(await removeAuthenticatorApp.run(scope, {}))
  expect((await newClient().signIn(email, password)).status).toBe(200)
})

test('codes of one step before and after are accepted', async () => {
  const { secret, verify } = await startSignIn()
  const code = codeAt(secret, stepAt(Date.now()) + 1)
  expect((await verify({ method: 'totp', code })).status).toBe(200)
})
