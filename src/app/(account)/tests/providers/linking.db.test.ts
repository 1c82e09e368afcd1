import { newClient } from '@tests/support/client'
import { testDatabase } from '@tests/support/database'
import { comeBack, leave, signInWith, visitProvider } from '@tests/support/providers/browser'
import { oauthServers } from '@tests/support/providers/oauth'
import { storedIn } from '@tests/support/stored'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { installed } from '@/core/auth/providers/installed'
import { sessions } from '@/core/db/schema'
import { findWaysIn, unlinkAccount } from '../../data/ways-in'
import { newPerson, password } from '../people'

const db = testDatabase()
const { serverOf, newPerson: newPersonAt } = oauthServers()
const { counts } = storedIn(db)

const fromAccount = { callbackUrl: '/account?done=linked' }

/** Somebody with a password at a browser, as the account page sees them. */
async function member() {
  const person = await newPerson(db.database)
  const client = newClient()
  await client.signIn(person.email, password)
  return { ...person, client }
}

describe.each(installed)('$id', ({ id: kind }) => {
  test('is linked from the account page, signs in, is unlinked there, and signs in no more', async () => {
    const me = await member()
    newPersonAt(kind)
    const linked = await signInWith(me.client, kind, fromAccount)
    expect(linked.headers.get('location')).toBe('/account?done=linked')
    const ways = await findWaysIn(me.scope)
    expect(ways.providers.find(({ id }) => id === kind)).toMatchObject({ canBeUnlinked: true })

    const elsewhere = newClient()
    await signInWith(elsewhere, kind)
    expect((await elsewhere.session()).user.id).toBe(me.id)

    expect(await unlinkAccount(me.scope, kind)).toEqual({ unlinked: kind })
    const stranger = newClient()
    await signInWith(stranger, kind)
    expect((await stranger.session()).user.id).not.toBe(me.id)
  })

  test('what cannot be linked leads back to the account page, which tells why', async () => {
    newPersonAt(kind)
    await signInWith(newClient(), kind)
    const me = await member()
    const before = await counts()
    const taken = await signInWith(me.client, kind, fromAccount)
    expect(taken.headers.get('location')).toBe('/account?error=account_linked_elsewhere')
    serverOf(kind).person = 'refuses'
    const denied = await signInWith(me.client, kind, fromAccount)
    expect(denied.headers.get('location')).toBe('/account?error=oauth_denied')
    expect(await counts()).toEqual(before)
    expect((await me.client.session()).user.id).toBe(me.id)
  })

  test('who is signed in no more is led to sign in, and from there to no false news', async () => {
    const me = await member()
    newPersonAt(kind)
    const back = await visitProvider(await leave(me.client, kind, fromAccount))
    await db.database.delete(sessions).where(eq(sessions.userId, me.id))
    const response = await comeBack(me.client, back)
    const wanted = new URLSearchParams({ error: 'unauthenticated', callbackUrl: '/account' })
    expect(response.headers.get('location')).toBe(`/sign-in?${wanted}`)
  })

  test('a journey that cannot begin leads back there too', async () => {
    const me = await member()
    const before = await counts()
    const response = await me.client.send(`/api/auth/signin/${kind}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      body: new URLSearchParams({ ...fromAccount, csrfToken: 'wrong' }).toString(),
    })
    expect(response.headers.get('location')).toBe('/account?error=csrf_mismatch')
    expect(await counts()).toEqual(before)
  })

  test.each(['https://evil.example/account', '//evil.example', '/\\evil.example'])(
    'a refusal leads to no other place: %s',
    async (callbackUrl) => {
      const me = await member()
      serverOf(kind).person = 'refuses'
      const response = await signInWith(me.client, kind, { callbackUrl })
      expect(response.headers.get('location')).toBe('/sign-in?error=oauth_denied')
    },
  )
})
