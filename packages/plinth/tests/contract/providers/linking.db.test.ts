import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accountMail } from '#auth/accounts/account-mail'
import { hashPassword } from '#auth/passwords/hash'
import { hashToken } from '#auth/sessions/cookie'
import { mailQueue, passwords, sessions, users } from '#db/schema'
import { findRecoveryLink } from '#recovery/account'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'
import { databaseRows } from '#testing/database/database-rows'
import {
  authorizeAtProvider,
  followCallback,
  oauthServers,
  signInWith,
  startOAuth,
} from '#testing/oauth/oauth'
import { ageSignIn } from '../../support/age-session'
import { installed } from '../../support/installed-providers'

const db = testDatabase()
const { newProviderUser } = oauthServers(installed)
const { counts, userOf, accountsOf, lastEvents } = databaseRows(db)

const cookieName = 'authjs.session-token'
const password = 'plinth-demo-1'
let hash: string
let members = 0

beforeAll(async () => {
  hash = await hashPassword(password)
})

/** Signs in a new user with a password and no linked account. */
async function signInMember() {
  members += 1
  const email = `member-${members}@example.com`
  const [user] = await db.database
    .insert(users)
    .values({ email, name: 'Member', emailVerifiedAt: new Date() })
    .returning()
  const id = user?.id ?? ''
  await db.database.insert(passwords).values({ userId: id, hash })
  const client = newClient()
  await client.signIn(email, password)
  return { client, id, email, token: client.cookies.get(cookieName) ?? '' }
}

describe.each(installed)('linking $id', ({ id: provider }) => {
  let me: Awaited<ReturnType<typeof signInMember>>

  beforeEach(async () => {
    me = await signInMember()
  })

  async function expectRejected(response: Response, code: string) {
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(`/sign-in?error=${code}`)
    expect(await accountsOf(me.id)).toEqual([])
    expect(await lastEvents(1)).toMatchObject([
      { action: 'link_account', outcome: 'denied', details: { by: provider, reason: code } },
    ])
  }

  test('adds it to the account and renews the session', async () => {
    const { id } = newProviderUser(provider, { verified: false })
    const before = await counts()
    const response = await signInWith(me.client, provider, { callbackUrl: '/articles' })
    expect(response.headers.get('location')).toBe('/articles')
    expect(await accountsOf(me.id)).toMatchObject([{ provider, providerAccountId: id }])
    expect(await counts()).toEqual({ ...before, accounts: before.accounts + 1 })
    expect((await me.client.session()).user).toMatchObject({ id: me.id, email: me.email })
    const old = newClient()
    old.cookies.set(cookieName, me.token)
    expect(await old.session()).toBeNull()
    const event = { outcome: 'success', actorId: me.id, targetId: me.id, details: { by: provider } }
    expect(await lastEvents(1)).toMatchObject([{ action: 'link_account', ...event }])

    const anotherBrowser = newClient()
    await signInWith(anotherBrowser, provider)
    expect((await anotherBrowser.session()).user.id).toBe(me.id)
  })

  test('a second time signs in with a new token', async () => {
    newProviderUser(provider)
    await signInWith(me.client, provider)
    const before = await counts()
    const token = me.client.cookies.get(cookieName)
    await signInWith(me.client, provider)
    expect(me.client.cookies.get(cookieName)).not.toBe(token)
    expect(await counts()).toEqual(before)
    expect(await lastEvents(1)).toMatchObject([{ action: 'sign_in', outcome: 'success' }])
  })

  test('rejects an account that is linked to another user', async () => {
    newProviderUser(provider)
    await signInWith(newClient(), provider)
    const before = await counts()
    await expectRejected(await signInWith(me.client, provider), 'account_linked_elsewhere')
    expect(await counts()).toEqual(before)
    expect((await me.client.session()).user.id).toBe(me.id)
    expect(me.client.cookies.get(cookieName)).toBe(me.token)
  })

  test('rejects a second account of the same provider', async () => {
    const { id } = newProviderUser(provider)
    await signInWith(me.client, provider)
    const before = await counts()
    newProviderUser(provider)
    const response = await signInWith(me.client, provider)
    expect(response.headers.get('location')).toBe('/sign-in?error=provider_linked_already')
    expect(await accountsOf(me.id)).toMatchObject([{ providerAccountId: id }])
    expect(await counts()).toEqual(before)
  })

  test('links one account to one of two concurrent users', async () => {
    const other = await signInMember()
    newProviderUser(provider)
    const [first, second] = [
      await authorizeAtProvider(await startOAuth(me.client, provider)),
      await authorizeAtProvider(await startOAuth(other.client, provider)),
    ]
    const responses = await Promise.all([
      followCallback(me.client, first),
      followCallback(other.client, second),
    ])
    const locations = responses.map((response) => response.headers.get('location')).sort()
    expect(locations).toEqual(['/', '/sign-in?error=account_linked_elsewhere'])
    expect([...(await accountsOf(me.id)), ...(await accountsOf(other.id))]).toHaveLength(1)
  })

  describe('with a session whose user signed in long ago', () => {
    beforeEach(() => ageSignIn(db.database, me.id))

    test('is refused before the provider is asked', async () => {
      newProviderUser(provider)
      const start = (accept: string) =>
        me.client.send(`/api/auth/signin/${provider}`, {
          method: 'POST',
          body: new URLSearchParams({ callbackUrl: '/account?section=connected' }),
          headers: { accept },
        })
      const refused = await start('application/json')
      expect([refused.status, (await refused.json()).code]).toEqual([
        403,
        'reauthentication_required',
      ])
      const browser = await start('text/html')
      expect(browser.headers.get('location')).toBe('/confirm?callbackUrl=%2Faccount')
      expect(await accountsOf(me.id)).toEqual([])
    })

    test('is refused at the callback of a flow that a thief started elsewhere', async () => {
      newProviderUser(provider)
      const thief = newClient()
      const callback = await authorizeAtProvider(await startOAuth(thief, provider))
      const [session] = await db.database
        .select({ id: sessions.id })
        .from(sessions)
        .where(eq(sessions.userId, me.id))
      thief.cookies.set(cookieName, me.token)
      thief.cookies.set(`plinth.oauth.${provider}`, `linkTo=${session?.id}`)
      const before = await counts()
      const response = await followCallback(thief, callback)
      expect(response.headers.get('location')).toBe('/confirm?callbackUrl=%2F')
      expect(await counts()).toEqual(before)
      expect(await lastEvents(1)).toMatchObject([
        {
          action: 'link_account',
          outcome: 'denied',
          details: { reason: 'reauthentication_required' },
        },
      ])
    })
  })

  test('a linked account confirms an old session, and linking does not', async () => {
    newProviderUser(provider)
    const fiveMinutesAgo = new Date(Date.now() - 5 * 60_000)
    await db.database
      .update(sessions)
      .set({ authenticatedAt: fiveMinutesAgo })
      .where(eq(sessions.userId, me.id))
    const authenticated = async () => {
      const [row] = await db.database.select().from(sessions).where(eq(sessions.userId, me.id))
      return { at: row?.authenticatedAt, by: row?.authenticatedBy }
    }
    await signInWith(me.client, provider)
    expect(await authenticated()).toEqual({ at: fiveMinutesAgo, by: 'password' })
    await ageSignIn(db.database, me.id)
    await signInWith(me.client, provider)
    const { at, by } = await authenticated()
    expect(by).toBe(provider)
    expect(at?.getTime()).toBeGreaterThan(Date.now() - 60_000)
  })

  test('tells the owner by mail', async () => {
    newProviderUser(provider)
    await signInWith(me.client, provider)
    const [queued] = await db.database
      .select()
      .from(mailQueue)
      .where(and(eq(mailQueue.email, me.email), eq(mailQueue.purpose, 'account_changed')))
    const message = await accountMail.account_changed({ email: me.email, data: queued?.data })
    expect(message).toMatchObject({ to: me.email })
    expect(message?.text).toMatch(/A \w+ account was linked\./)
    const [, token] = /recover\?token=([\w-]{43})/.exec(message?.text ?? '') ?? []
    expect(await findRecoveryLink(db.database, token)).toMatchObject({ userId: me.id })
  })

  describe('links nothing if in the meantime', () => {
    let callback: URL
    let email: string

    beforeEach(async () => {
      email = newProviderUser(provider).email
      callback = await authorizeAtProvider(await startOAuth(me.client, provider))
    })

    test('the session expired', async () => {
      await db.database
        .update(sessions)
        .set({ expiresAt: sql`now() - interval '1 second'` })
        .where(eq(sessions.tokenHash, hashToken(me.token)))
      const before = await counts()
      await expectRejected(await followCallback(me.client, callback), 'unauthenticated')
      expect(await counts()).toEqual(before)
      expect(await userOf(email)).toBeUndefined()
      expect(await me.client.session()).toBeNull()
    })

    test('the user signed out', async () => {
      await me.client.send('/api/auth/signout', { method: 'POST' })
      await expectRejected(await followCallback(me.client, callback), 'unauthenticated')
      expect(await userOf(email)).toBeUndefined()
    })

    test('another user signed in with the same browser', async () => {
      const other = await signInMember()
      me.client.cookies.set(cookieName, other.token)
      await expectRejected(await followCallback(me.client, callback), 'unauthenticated')
      expect(await accountsOf(other.id)).toEqual([])
      expect((await me.client.session()).user.id).toBe(other.id)
    })

    test('the user was deleted', async () => {
      await db.database.delete(users).where(eq(users.id, me.id))
      await expectRejected(await followCallback(me.client, callback), 'unauthenticated')
      expect(await userOf(email)).toBeUndefined()
    })
  })

  test('links nothing if the flow started as a sign-in', async () => {
    const { email } = newProviderUser(provider)
    const client = newClient()
    const callback = await authorizeAtProvider(await startOAuth(client, provider))
    client.cookies.set(cookieName, me.token)
    await followCallback(client, callback)
    expect(await accountsOf(me.id)).toEqual([])
    expect((await client.session()).user.email).toBe(email)
    const old = newClient()
    old.cookies.set(cookieName, me.token)
    expect(await old.session()).toBeNull()
  })
})
