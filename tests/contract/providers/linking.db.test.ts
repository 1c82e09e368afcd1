import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '@/core/auth/password'
import { installed } from '@/core/auth/providers/installed'
import { hashToken } from '@/core/auth/token'
import { passwords, sessions, users } from '@/core/db/schema'
import { newClient } from '../../support/client'
import { testDatabase } from '../../support/database'
import { comeBack, leave, signInWith, visitProvider } from '../../support/providers/browser'
import { oauthServers } from '../../support/providers/oauth'
import { storedIn } from '../../support/stored'

const db = testDatabase()
const { newPerson } = oauthServers()
const { counts, userOf, accountsOf, lastEvents } = storedIn(db)

const cookieName = 'authjs.session-token'
const password = 'plinth-demo-1'
let hash: string
let made = 0

beforeAll(async () => {
  hash = await hashPassword(password)
})

/** Somebody with a password and nothing linked, signed in. */
async function member() {
  made += 1
  const email = `member-${made}@example.com`
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

describe.each(installed)('linking $id', ({ id: kind }) => {
  let me: Awaited<ReturnType<typeof member>>

  beforeEach(async () => {
    me = await member()
  })

  async function expectRefused(response: Response, code: string) {
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(`/sign-in?error=${code}`)
    expect(await accountsOf(me.id)).toEqual([])
    expect(await lastEvents(1)).toMatchObject([
      { action: 'link_account', outcome: 'denied', details: { by: kind, reason: code } },
    ])
  }

  test('adds it to the account, and renews the session', async () => {
    const { id } = newPerson(kind, { verified: false })
    const before = await counts()
    const response = await signInWith(me.client, kind, { callbackUrl: '/elsewhere' })
    expect(response.headers.get('location')).toBe('/elsewhere')
    expect(await accountsOf(me.id)).toMatchObject([{ provider: kind, providerAccountId: id }])
    expect(await counts()).toEqual({ ...before, accounts: before.accounts + 1 })
    expect((await me.client.session()).user).toMatchObject({ id: me.id, email: me.email })
    const old = newClient()
    old.cookies.set(cookieName, me.token)
    expect(await old.session()).toBeNull()
    const about = { outcome: 'success', actorId: me.id, targetId: me.id, details: { by: kind } }
    expect(await lastEvents(1)).toMatchObject([{ action: 'link_account', ...about }])

    const elsewhere = newClient()
    await signInWith(elsewhere, kind)
    expect((await elsewhere.session()).user.id).toBe(me.id)
  })

  test('again what is linked already signs in anew, with a new token', async () => {
    newPerson(kind)
    await signInWith(me.client, kind)
    const before = await counts()
    const token = me.client.cookies.get(cookieName)
    await signInWith(me.client, kind)
    expect(me.client.cookies.get(cookieName)).not.toBe(token)
    expect(await counts()).toEqual(before)
    expect(await lastEvents(1)).toMatchObject([{ action: 'sign_in', outcome: 'success' }])
  })

  test('does not take what is linked to somebody else', async () => {
    newPerson(kind)
    await signInWith(newClient(), kind)
    const before = await counts()
    await expectRefused(await signInWith(me.client, kind), 'account_linked_elsewhere')
    expect(await counts()).toEqual(before)
    expect((await me.client.session()).user.id).toBe(me.id)
    expect(me.client.cookies.get(cookieName)).toBe(me.token)
  })

  test('takes one account of a provider and no second', async () => {
    const { id } = newPerson(kind)
    await signInWith(me.client, kind)
    const before = await counts()
    newPerson(kind)
    const response = await signInWith(me.client, kind)
    expect(response.headers.get('location')).toBe('/sign-in?error=provider_linked_already')
    expect(await accountsOf(me.id)).toMatchObject([{ providerAccountId: id }])
    expect(await counts()).toEqual(before)
  })

  test('two people who link one account at once: one gets it', async () => {
    const other = await member()
    newPerson(kind)
    const [mine, theirs] = [
      await visitProvider(await leave(me.client, kind)),
      await visitProvider(await leave(other.client, kind)),
    ]
    const answers = await Promise.all([comeBack(me.client, mine), comeBack(other.client, theirs)])
    const ends = answers.map((answer) => answer.headers.get('location')).sort()
    expect(ends).toEqual(['/', '/sign-in?error=account_linked_elsewhere'])
    expect([...(await accountsOf(me.id)), ...(await accountsOf(other.id))]).toHaveLength(1)
  })

  describe('when meanwhile', () => {
    let back: URL
    let email: string

    beforeEach(async () => {
      email = newPerson(kind).email
      back = await visitProvider(await leave(me.client, kind))
    })

    test('the session has expired: nobody gets it', async () => {
      await db.database
        .update(sessions)
        .set({ expiresAt: sql`now() - interval '1 second'` })
        .where(eq(sessions.tokenHash, hashToken(me.token)))
      const before = await counts()
      await expectRefused(await comeBack(me.client, back), 'unauthenticated')
      expect(await counts()).toEqual(before)
      expect(await userOf(email)).toBeUndefined()
      expect(await me.client.session()).toBeNull()
    })

    test('they signed out: nobody gets it', async () => {
      await me.client.send('/api/auth/signout', { method: 'POST' })
      await expectRefused(await comeBack(me.client, back), 'unauthenticated')
      expect(await userOf(email)).toBeUndefined()
    })

    test('somebody else signed in at that browser: neither gets it', async () => {
      const other = await member()
      me.client.cookies.set(cookieName, other.token)
      await expectRefused(await comeBack(me.client, back), 'unauthenticated')
      expect(await accountsOf(other.id)).toEqual([])
      expect((await me.client.session()).user.id).toBe(other.id)
    })

    test('they were deleted: nobody gets it', async () => {
      await db.database.delete(users).where(eq(users.id, me.id))
      await expectRefused(await comeBack(me.client, back), 'unauthenticated')
      expect(await userOf(email)).toBeUndefined()
    })
  })

  test('a journey that nobody began as a link links nothing', async () => {
    const { email } = newPerson(kind)
    const client = newClient()
    const back = await visitProvider(await leave(client, kind))
    client.cookies.set(cookieName, me.token)
    await comeBack(client, back)
    expect(await accountsOf(me.id)).toEqual([])
    expect((await client.session()).user.email).toBe(email)
    const old = newClient()
    old.cookies.set(cookieName, me.token)
    expect(await old.session()).toBeNull()
  })
})
