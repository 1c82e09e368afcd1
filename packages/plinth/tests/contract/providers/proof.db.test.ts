import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accountMail } from '#auth/accounts/account-mail'
import { findSession } from '#auth/sessions/cache'
import { installSignInSteps } from '#auth/sessions/steps'
import { mailQueue, sessions } from '#db/schema'
import { findConfirmation } from '#guard/change-proof'
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
import { newScope } from '#testing/scope'
import { isActionError } from '#universal/action-result'
import { proveWithMailCode, sendChangeCode } from '@/app/(auth)/confirm/actions'
import { installed } from '../../support/installed-providers'

const db = testDatabase()
const { newProviderUser } = oauthServers(installed)
const { counts, userOf, accountsOf, lastEvents } = databaseRows(db)

const cookieName = 'authjs.session-token'
const change = 'add_factor'
const callbackUrl = `/confirm?change=${change}&callbackUrl=%2Faccount`

afterEach(async () => {
  installSignInSteps([])
  await db.database.delete(mailQueue)
})

describe.each(installed)('$id', ({ id: provider }) => {
  let me: { client: ReturnType<typeof newClient>; id: string; email: string }

  /** A user who has only the provider, and has just signed in with it. */
  beforeEach(async () => {
    const { email } = newProviderUser(provider)
    const client = newClient()
    await signInWith(client, provider)
    me = { client, id: (await userOf(email))?.id ?? '', email }
  })

  const token = () => me.client.cookies.get(cookieName) ?? ''

  async function currentScope() {
    const session = await findSession(token())
    if (!session) throw new Error('There is no session.')
    return { ...newScope(), session }
  }

  const confirmation = async () => findConfirmation(await currentScope(), change)

  test('a sign-in proves nothing that was not asked for', async () => {
    expect(await confirmation()).toMatchObject({ given: [], isProven: false })
    await signInWith(me.client, provider)
    expect(await confirmation()).toMatchObject({ given: [], isProven: false })
  })

  test('proves a change together with a code by mail, in new sessions', async () => {
    const before = token()
    const response = await signInWith(me.client, provider, { change, callbackUrl })
    expect(response.headers.get('location')).toBe(callbackUrl)
    expect(token()).not.toBe(before)
    expect(await findSession(before)).toBeUndefined()
    expect(await lastEvents(1)).toMatchObject([
      {
        action: 'prove_with_provider',
        outcome: 'success',
        actorId: me.id,
        details: { by: provider, change },
      },
    ])
    expect(await confirmation()).toMatchObject({
      given: [{ kind: 'provider', methodId: provider }],
      isProven: false,
    })

    const scope = await currentScope()
    await sendChangeCode.run(scope, { change })
    const [queued] = await db.database.select().from(mailQueue)
    const message = queued && (await accountMail.confirm_change(queued))
    const [code = ''] = /(?<![\w-])[0-9A-Z]{4}-[0-9A-Z]{4}(?![\w-])/.exec(message?.text ?? '') ?? []
    const given = await proveWithMailCode.run(scope, { change, code })
    if (isActionError(given)) throw new Error(given.message)
    expect(given.isProven).toBe(true)
  })

  test('a code by mail alone is not enough', async () => {
    const scope = await currentScope()
    await sendChangeCode.run(scope, { change })
    const [queued] = await db.database.select().from(mailQueue)
    const message = queued && (await accountMail.confirm_change(queued))
    const [code = ''] = /(?<![\w-])[0-9A-Z]{4}-[0-9A-Z]{4}(?![\w-])/.exec(message?.text ?? '') ?? []
    expect(await proveWithMailCode.run(scope, { change, code })).toMatchObject({ isProven: false })
  })

  test('is no sign-in: neither is the sign-in renewed nor a second factor needed', async () => {
    const isRequired = async () => true
    const start = async () => ({ challenge: 'a', methods: [], href: '/sign-in/verify' })
    installSignInSteps([{ signInSteps: [{ isRequired, start }] }])
    const authenticatedAt = new Date(Date.now() - 11 * 60_000)
    await db.database.update(sessions).set({ authenticatedAt }).where(eq(sessions.userId, me.id))
    const response = await signInWith(me.client, provider, { change, callbackUrl })
    expect(response.headers.get('location')).toBe(callbackUrl)
    expect((await currentScope()).session.authenticatedAt).toEqual(authenticatedAt)
    expect((await confirmation()).given).toHaveLength(1)
  })

  test('another account of the provider proves and links nothing', async () => {
    newProviderUser(provider)
    const before = await counts()
    const unlinked = await signInWith(me.client, provider, { change, callbackUrl })
    expect(unlinked.headers.get('location')).toBe(`${callbackUrl}&error=account_not_linked`)
    expect(await counts()).toEqual(before)
    expect(await accountsOf(me.id)).toHaveLength(1)
    expect(await lastEvents(1)).toMatchObject([
      {
        action: 'prove_with_provider',
        outcome: 'denied',
        actorId: me.id,
        details: { by: provider, reason: 'account_not_linked' },
      },
    ])
    await signInWith(newClient(), provider)
    const ofAnother = await signInWith(me.client, provider, { change, callbackUrl })
    expect(ofAnother.headers.get('location')).toBe(`${callbackUrl}&error=account_linked_elsewhere`)
    expect(await confirmation()).toMatchObject({ given: [] })
  })

  test('a flow of another browser proves nothing for a stolen session', async () => {
    newProviderUser(provider)
    const thief = newClient()
    const callback = await authorizeAtProvider(await startOAuth(thief, provider))
    const { session } = await currentScope()
    thief.cookies.set(cookieName, token())
    thief.cookies.set(`plinth.oauth.${provider}`, `linkTo=${session.id}&change=${change}`)
    const response = await followCallback(thief, callback)
    expect(response.headers.get('location')).toContain('error=account_not_linked')
    expect(await confirmation()).toMatchObject({ given: [] })
  })

  test('an unlinked provider is refused before it is asked', async () => {
    const other = installed.find(({ id }) => id !== provider)
    const response = await me.client.send(`/api/auth/signin/${other?.id}`, {
      method: 'POST',
      body: new URLSearchParams({ change, callbackUrl }),
      headers: { accept: 'text/html' },
    })
    expect(response.headers.get('location')).toBe(`${callbackUrl}&error=account_not_linked`)
  })
})
