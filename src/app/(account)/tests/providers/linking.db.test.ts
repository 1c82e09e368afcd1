import { eq } from 'drizzle-orm'
import { providersOf } from 'plinth/auth/oauth/providers/providers'
import { env } from 'plinth/config/env'
import { sessions } from 'plinth/db/schema'
import { decodeFlash, readFlashCookie } from 'plinth/guard/flash'
import { databaseRows, newClient, testDatabase } from 'plinth/testing'
import {
  authorizeAtProvider,
  followCallback,
  oauthServers,
  signInWith,
  startOAuth,
} from 'plinth/testing/oauth'
import { describe, expect, test } from 'vitest'
import { config } from '@/plinth.config'
import { unlinkAccount } from '../../actions'
import { findSignInMethods } from '../../data/sign-in-methods'
import { newUser, password } from '../users'

const installed = providersOf(config)

const db = testDatabase()
const { providerOf, newProviderUser } = oauthServers(installed)
const { counts } = databaseRows(db)

const fromAccount = { callbackUrl: '/account/connected' }

/** The message that the page shows to the user. */
function flashOf(response: Response, userId: string): string | undefined {
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return decodeFlash(readFlashCookie(cookies.join('; '), env().AUTH_URL), userId)?.text
}

/** A user with a password, signed in to a browser. */
async function signInMember() {
  const viewer = await newUser(db.database)
  const client = newClient()
  await client.signIn(viewer.email, password)
  return { ...viewer, client }
}

describe.each(installed)('$id', ({ id: provider }) => {
  test('can be linked from the account page, used to sign in and unlinked', async () => {
    const me = await signInMember()
    newProviderUser(provider)
    const linked = await signInWith(me.client, provider, fromAccount)
    expect(linked.headers.get('location')).toBe('/account/connected')
    expect(flashOf(linked, me.id)).toMatch(/^\w+ linked\. /)
    const methods = await findSignInMethods(me.scope)
    expect(methods.providers.find(({ id }) => id === provider)).toMatchObject({ canUnlink: true })

    const anotherBrowser = newClient()
    const signedIn = await signInWith(anotherBrowser, provider)
    expect(flashOf(signedIn, me.id)).toBeUndefined()
    expect((await anotherBrowser.session()).user.id).toBe(me.id)

    expect(await unlinkAccount.run(me.scope, { provider })).toEqual({ unlinked: provider })
    const afterUnlink = newClient()
    await signInWith(afterUnlink, provider)
    expect((await afterUnlink.session()).user.id).not.toBe(me.id)
  })

  test('redirects to the account page with the reason if it cannot be linked', async () => {
    newProviderUser(provider)
    await signInWith(newClient(), provider)
    const me = await signInMember()
    const before = await counts()
    const taken = await signInWith(me.client, provider, fromAccount)
    expect(taken.headers.get('location')).toBe('/account/connected?error=account_linked_elsewhere')
    providerOf(provider).user = 'denies'
    const denied = await signInWith(me.client, provider, fromAccount)
    expect(denied.headers.get('location')).toBe('/account/connected?error=oauth_denied')
    expect(await counts()).toEqual(before)
    expect((await me.client.session()).user.id).toBe(me.id)
  })

  test('redirects to sign-in if the session was revoked, without a success message', async () => {
    const me = await signInMember()
    newProviderUser(provider)
    const callback = await authorizeAtProvider(await startOAuth(me.client, provider, fromAccount))
    await db.database.delete(sessions).where(eq(sessions.userId, me.id))
    const response = await followCallback(me.client, callback)
    const expected = new URLSearchParams({
      error: 'unauthenticated',
      callbackUrl: '/account/connected',
    })
    expect(response.headers.get('location')).toBe(`/sign-in?${expected}`)
  })

  test('redirects to the account page if the flow cannot start', async () => {
    const me = await signInMember()
    const before = await counts()
    const response = await me.client.send(`/api/auth/signin/${provider}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      body: new URLSearchParams({ ...fromAccount, csrfToken: 'invalid' }).toString(),
    })
    expect(response.headers.get('location')).toBe('/account/connected?error=csrf_mismatch')
    expect(await counts()).toEqual(before)
  })

  test.each(['https://evil.example/account', '//evil.example', '/\\evil.example'])(
    'ignores a callbackUrl on another origin: %s',
    async (callbackUrl) => {
      const me = await signInMember()
      providerOf(provider).user = 'denies'
      const response = await signInWith(me.client, provider, { callbackUrl })
      expect(response.headers.get('location')).toBe('/sign-in?error=oauth_denied')
    },
  )
})
