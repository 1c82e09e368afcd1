import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { mailQueue, users, verificationTokens } from 'plinth/db/schema'
import {
  parseActionResponse,
  runningServer,
  type Server,
  sendAction,
  startServer,
} from 'plinth/testing/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newUser, password, signIn } from '../users'

// Nothing listens on this port, so that queued mail stays in the queue.
const settings = {
  TRUST_PROXY: '1',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'App <hello@example.com>',
}

const app = runningServer(settings)
let second: Server

beforeAll(async () => {
  const patient = { DATABASE_TIMEOUT_MS: '20000' }
  second = await startServer({ ...app.fresh.settings, ...patient, ...settings })
  // A permanent admin, so that other users can be deleted.
  await newUser(app.database, { role: 'admin' })
})
afterAll(() => second.stop())

const byCookie = (token: string) => ({ cookie: `authjs.session-token=${token}` })
const byBearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function sessionAt(base: string, headers: Record<string, string>) {
  const response = await fetch(`${base}/api/auth/session`, { headers })
  return (await response.json())?.user?.id
}

const change = { currentPassword: password, newPassword: 'another password entirely' }

describe('a new password', () => {
  test('by cookie sets a new token and revokes all other sessions on every instance', async () => {
    const viewer = await newUser(app.database)
    const phone = await signIn(app.database, viewer.user)
    expect(await sessionAt(second.url, byCookie(phone.token))).toBe(viewer.id)
    const response = await sendAction(app.url, 'changePassword', change, byCookie(viewer.token))
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^authjs\.session-token=[\w-]{43};/)
    for (const part of [/Path=\//, /HttpOnly/, /SameSite=Lax/i, /Expires=/]) {
      expect(cookie).toMatch(part)
    }
    expect(await parseActionResponse('changePassword', response)).toEqual({
      redirected: '/account/sign-in',
    })
    for (const base of [app.url, second.url]) {
      // The delay that another process may have.
      if (base === second.url) await pause(100)
      expect(await sessionAt(base, byCookie(viewer.token))).toBeUndefined()
      expect(await sessionAt(base, byBearer(phone.token))).toBeUndefined()
      expect(await sessionAt(base, { cookie: cookie.split(';')[0] ?? '' })).toBe(viewer.id)
    }
    const queued = await app.database
      .select()
      .from(mailQueue)
      .where(eq(mailQueue.email, viewer.email))
    expect(queued).toMatchObject([{ purpose: 'account_changed' }])
  })

  test('by bearer token returns the new token and sets no cookie', async () => {
    const viewer = await newUser(app.database)
    const response = await sendAction(app.url, 'changePassword', change, byBearer(viewer.token))
    expect(response.headers.getSetCookie()).toEqual([])
    const result = await parseActionResponse('changePassword', response)
    if ('redirected' in result || !result.ok) throw new Error(JSON.stringify(result))
    const { token } = result.data as { token: string }
    expect(await sessionAt(second.url, byBearer(token))).toBe(viewer.id)
    expect(await sessionAt(second.url, byBearer(viewer.token))).toBeUndefined()
  })

  test('that is rejected sets no cookie and returns no password', async () => {
    const viewer = await newUser(app.database)
    const invalid = {
      currentPassword: 'not the password',
      newPassword: 'another password entirely',
    }
    const response = await sendAction(app.url, 'changePassword', invalid, byCookie(viewer.token))
    expect(response.headers.getSetCookie()).toEqual([])
    const text = await response.clone().text()
    expect(text).not.toMatch(/not the password|another password entirely/)
    expect(await parseActionResponse('changePassword', response)).toMatchObject({ code: 'invalid' })
    expect(await sessionAt(second.url, byCookie(viewer.token))).toBe(viewer.id)
  })
})

test('sends a link instead to an account without a password', async () => {
  const viewer = await newUser(app.database, { password: false, providers: ['provider-a'] })
  const response = await sendAction(app.url, 'changePassword', change, byCookie(viewer.token))
  // The page in the response shows the message, so the browser gets no cookie with it.
  expect(response.headers.getSetCookie()).toEqual([])
  expect(await parseActionResponse('changePassword', response)).toEqual({
    redirected: '/account/sign-in',
  })
  const own = eq(mailQueue.email, viewer.email)
  expect(await app.database.select().from(mailQueue).where(own)).toMatchObject([
    { purpose: 'reset_password' },
  ])
  expect(await sessionAt(second.url, byCookie(viewer.token))).toBe(viewer.id)
})

test('deleting an account revokes its sessions on every instance and clears the cookie', async () => {
  const viewer = await newUser(app.database)
  const phone = await signIn(app.database, viewer.user)
  const confirmation = { confirmation: viewer.email, currentPassword: password }
  const response = await sendAction(app.url, 'deleteAccount', confirmation, byCookie(viewer.token))
  const [cookie = ''] = response.headers.getSetCookie()
  expect(cookie).toMatch(/^authjs\.session-token=;/)
  expect(cookie).toMatch(/Expires=Thu, 01 Jan 1970/)
  expect(await parseActionResponse('deleteAccount', response)).toEqual({
    redirected: '/account/deleted',
  })
  for (const token of [viewer.token, phone.token]) {
    expect(await sessionAt(second.url, byCookie(token))).toBeUndefined()
  }
  expect(await app.database.$count(users, eq(users.id, viewer.id))).toBe(0)
  const links = eq(verificationTokens.email, viewer.email)
  expect(await app.database.$count(verificationTokens, links)).toBe(0)
})
