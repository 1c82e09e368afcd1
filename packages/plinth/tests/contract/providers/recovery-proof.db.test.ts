import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { hashToken } from '#auth/sessions/cookie'
import { accountChanges, accounts, mailQueue, sessions, users } from '#db/schema'
import { changeSignIn } from '#recovery/changes'
import { completeRecovery } from '#recovery/complete-recovery'
import { followRecoveryLink } from '#recovery/follow-link'
import { recoveryMail } from '#recovery/recovery-mail'
import { viewRecovery } from '#recovery/view'
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
import { installed } from '../../support/installed-providers'

const db = testDatabase()
const { newProviderUser, providerOf } = oauthServers(installed)
const { counts, userOf, accountsOf, lastEvents } = databaseRows(db)

describe.each(installed)('$id', ({ id: provider }) => {
  let me: { id: string; email: string; token: string }
  let own: ReturnType<typeof newProviderUser>

  const change = (run: (tx: typeof db.database) => Promise<unknown>) =>
    db.database.transaction((tx) => changeSignIn(tx, { userId: me.id }, () => run(tx)))

  const unlink = () => {
    const isOwn = and(eq(accounts.userId, me.id), eq(accounts.provider, provider))
    return change((tx) => tx.delete(accounts).where(isOwn))
  }

  async function linkTo(email: string): Promise<string> {
    const [queued] = await db.database.select().from(mailQueue).where(eq(mailQueue.email, email))
    const message = queued && (await recoveryMail.account_changed(queued))
    return /token=([\w-]{43})/.exec(message?.text ?? '')?.[1] ?? ''
  }

  const open = () => followRecoveryLink(newScope(), { token: me.token, browser: newBrowser() })
  const newBrowser = () => ({ hash: hashToken(crypto.randomUUID()) })

  /** That the client is recognized as. */
  const browserOf = ({ cookies }: ReturnType<typeof newClient>) => ({
    hash: hashToken(cookies.get('plinth.recovery') ?? ''),
  })

  /** A user who has only the provider. A thief has unlinked it and taken the email. */
  beforeEach(async () => {
    own = newProviderUser(provider)
    await signInWith(newClient(), provider)
    const { id = '', email = '' } = (await userOf(own.email)) ?? {}
    me = { id, email, token: '' }
    for (const table of [accountChanges, mailQueue]) await db.database.delete(table)
    await change((tx) =>
      tx
        .update(users)
        .set({ email: `thief-of-${email}` })
        .where(eq(users.id, id)),
    )
    await unlink()
    me.token = await linkTo(email)
  })

  test('the account that was linked proves the recovery for this browser', async () => {
    await open()
    const client = newClient()
    const before = await counts()
    const response = await signInWith(client, provider, { recovery: me.token })
    expect(response.headers.get('location')).toBe(`/recover?token=${me.token}`)
    expect(await counts()).toMatchObject({ users: before.users, sessions: before.sessions })
    expect(client.cookies.has('authjs.session-token')).toBe(false)
    expect(await lastEvents(1)).toMatchObject([
      {
        action: 'prove_to_recover',
        outcome: 'success',
        targetId: me.id,
        details: { with: 'provider' },
      },
    ])
    expect(await viewRecovery(me.token, newBrowser())).toMatchObject({ state: 'waiting' })
    const browser = browserOf(client)
    expect(await viewRecovery(me.token, browser)).toMatchObject({ state: 'ready', provable: [] })
    const completed = await completeRecovery(newScope(), {
      token: me.token,
      browser,
      hash: undefined,
      email: undefined,
      kept: [],
    })
    expect(completed).toMatchObject({ email: me.email })
    expect(await accountsOf(me.id)).toMatchObject([{ provider, providerAccountId: own.id }])
    await signInWith(client, provider)
    expect(client.cookies.has('authjs.session-token')).toBe(true)
  })

  test('another account of the provider is refused, and signs no one in', async () => {
    await open()
    newProviderUser(provider)
    const before = await counts()
    const client = newClient()
    const response = await signInWith(client, provider, { recovery: me.token })
    expect(response.headers.get('location')).toBe(
      `/recover?token=${me.token}&error=account_not_linked`,
    )
    expect(await counts()).toMatchObject({ users: before.users, sessions: before.sessions })
    expect(await lastEvents(1)).toMatchObject([
      { action: 'prove_to_recover', outcome: 'failure', targetId: me.id },
    ])
    expect(await viewRecovery(me.token, browserOf(client))).toMatchObject({ state: 'waiting' })
  })

  test('an account that was linked since proves nothing', async () => {
    const ofThief = newProviderUser(provider)
    await change((tx) =>
      tx.insert(accounts).values({ provider, providerAccountId: ofThief.id, userId: me.id }),
    )
    await open()
    const response = await signInWith(newClient(), provider, { recovery: me.token })
    expect(response.headers.get('location')).toContain('error=account_not_linked')
  })

  test('the session of someone else in this browser stays as it is', async () => {
    await open()
    const client = newClient()
    const other = newProviderUser(provider)
    await signInWith(client, provider)
    const before = client.cookies.get('authjs.session-token')
    providerOf(provider).user = own
    const response = await signInWith(client, provider, { recovery: me.token })
    expect(response.headers.get('location')).toBe(`/recover?token=${me.token}`)
    expect(client.cookies.get('authjs.session-token')).toBe(before)
    const { id = '' } = (await userOf(other.email)) ?? {}
    expect(await db.database.$count(sessions, eq(sessions.userId, id))).toBe(1)
    expect(await accountsOf(id)).toHaveLength(1)
  })

  test('the token does not go to the provider, and a canceled sign-in leads back', async () => {
    await open()
    const client = newClient()
    const authorization = await startOAuth(client, provider, { recovery: me.token })
    expect(authorization.href).not.toContain(me.token)
    const callback = await authorizeAtProvider(authorization)
    expect(callback.href).not.toContain(me.token)
    for (const name of ['code', 'iss']) callback.searchParams.delete(name)
    callback.searchParams.set('error', 'access_denied')
    const response = await followCallback(client, callback)
    expect(response.headers.get('location')).toMatch(
      new RegExp(`^/recover\\?token=${me.token}&error=oauth_`),
    )
  })

  test('nothing starts without an open recovery, or for a provider that was not linked', async () => {
    const start = async (id: string | undefined) => {
      const response = await newClient().send(`/api/auth/signin/${id}`, {
        method: 'POST',
        body: new URLSearchParams({ recovery: me.token }),
        headers: { accept: 'text/html' },
      })
      return response.headers.get('location')
    }
    const refused = `/recover?token=${me.token}&error=account_not_linked`
    expect(await start(provider)).toBe(refused)
    await open()
    expect(await start(installed.find(({ id }) => id !== provider)?.id)).toBe(refused)
  })
})
