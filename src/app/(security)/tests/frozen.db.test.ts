import { eq, sql } from 'drizzle-orm'
import { hashToken, newToken } from 'plinth/auth/sessions/cookie'
import { recoveries, sessions } from 'plinth/db/schema'
import { newClient, newScope, testDatabase } from 'plinth/testing'
import { beforeAll, expect, test } from 'vitest'
import { createSignInLink, findSignInLink, signInWithToken } from '../data/sign-in-links'
import { signInChallenges } from '../schema'
import { addApp, newPasskeyUser, newUser, password } from './users'

const db = testDatabase()

// Installs the modules.
beforeAll(() => void newClient())

/** As an opened recovery does. */
async function freeze(userId: string) {
  await db.database.delete(sessions).where(eq(sessions.userId, userId))
  const openedAt = sql`now()`
  await db.database
    .insert(recoveries)
    .values({ userId, openedAt, openedBy: [], state: 'waiting', readyAt: openedAt })
}

const thaw = (userId: string) => db.database.delete(recoveries).where(eq(recoveries.userId, userId))

const sessionCount = () => db.database.$count(sessions)

async function expectFrozen(response: Response) {
  expect({ status: response.status, code: (await response.json()).code }).toEqual({
    status: 403,
    code: 'account_frozen',
  })
  expect(response.headers.getSetCookie()).toEqual([])
}

test.each(['cookie', 'bearer'])(
  'the right password is told so, and a wrong one is not: %s',
  async (transport) => {
    const { id, email } = await newUser(db.database)
    await freeze(id)
    const before = await sessionCount()
    const wrong = await newClient().signIn(email, 'wrong password', { transport })
    expect((await wrong.json()).code).toBe('invalid_credentials')
    await expectFrozen(await newClient().signIn(email, password, { transport }))
    expect(await sessionCount()).toBe(before)
    await thaw(id)
    expect((await newClient().signIn(email, password, { transport })).status).toBe(200)
  },
)

test('a form goes back to the sign-in page with the message', async () => {
  const { id, email } = await newUser(db.database)
  await freeze(id)
  const response = await newClient().send('/api/auth/signin', {
    method: 'POST',
    body: `${new URLSearchParams({ email, password })}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  })
  expect(response.headers.get('location')).toBe('/sign-in?error=account_frozen')
})

test('no second factor is asked for, and a sign-in that had begun ends', async () => {
  const { id, email, scope } = await newUser(db.database)
  await addApp(db.database, scope)
  const client = newClient()
  const { challenge } = await (await client.signIn(email, password)).json()
  await freeze(id)
  expect(await db.database.$count(signInChallenges)).toBe(0)
  const verified = await client.post('/api/auth/signin/verify', {
    challenge,
    method: 'totp',
    code: '123456',
    redirect: false,
  })
  expect((await verified.json()).code).toBe('sign_in_expired')
  await expectFrozen(await newClient().signIn(email, password))
  expect(await db.database.$count(signInChallenges)).toBe(0)
})

test('a passkey does not sign in', async () => {
  const { id, authenticator, options, verify } = await newPasskeyUser(db.database)
  await freeze(id)
  await expectFrozen(await verify(authenticator.signIn(await options())))
})

test('a sign-in link does not sign in, and one of meanwhile ends with the recovery', async () => {
  const { id, email } = await newUser(db.database)
  const newLink = async () => (await createSignInLink(email, hashToken(newToken()))).token
  const earlier = await newLink()
  await freeze(id)
  expect(await findSignInLink(earlier)).toBeUndefined()
  const meanwhile = await newLink()
  await expect(signInWithToken(newScope(), meanwhile)).rejects.toMatchObject({
    cause: { code: 'PL004' },
  })
  await thaw(id)
  expect(await findSignInLink(meanwhile)).toBeUndefined()
})
