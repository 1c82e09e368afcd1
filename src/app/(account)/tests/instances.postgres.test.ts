import { setTimeout as pause } from 'node:timers/promises'
import { calledBy, sendAction } from '@tests/support/call-action'
import { runningProduct } from '@tests/support/product'
import { type Server, startServer } from '@tests/support/server'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailQueue, users, verificationTokens } from '@/core/db/schema'
import { newPerson, password, signIn } from './people'

// A mail server that nobody runs: what is queued stays where it can be seen.
const settings = {
  TRUST_PROXY: '1',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Plinth <hello@example.com>',
}

const product = runningProduct(settings)
let second: Server

beforeAll(async () => {
  second = await startServer({ ...product.place.settings, ...settings })
  // Never the last admin.
  await newPerson(product.database, { role: 'admin' })
})
afterAll(() => second.stop())

const byCookie = (token: string) => ({ cookie: `authjs.session-token=${token}` })
const byBearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function sessionAt(base: string, headers: Record<string, string>) {
  const response = await fetch(`${base}/api/auth/session`, { headers })
  return (await response.json())?.user?.id
}

const change = { currentPassword: password, newPassword: 'something quite new' }

describe('a new password', () => {
  test('by cookie: the browser gets a new token; the old one and other devices are out, everywhere', async () => {
    const person = await newPerson(product.database)
    const phone = await signIn(product.database, person.user)
    expect(await sessionAt(second.url, byCookie(phone.token))).toBe(person.id)
    const response = await sendAction(product.url, 'changePassword', change, byCookie(person.token))
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^authjs\.session-token=[\w-]{43};/)
    for (const part of [/Path=\//, /HttpOnly/, /SameSite=Lax/i, /Expires=/]) {
      expect(cookie).toMatch(part)
    }
    expect(await calledBy('changePassword', response)).toEqual({
      redirected: '/account?done=password',
    })
    for (const base of [product.url, second.url]) {
      // What another process may take to hear of it.
      if (base === second.url) await pause(100)
      expect(await sessionAt(base, byCookie(person.token))).toBeUndefined()
      expect(await sessionAt(base, byBearer(phone.token))).toBeUndefined()
      expect(await sessionAt(base, { cookie: cookie.split(';')[0] ?? '' })).toBe(person.id)
    }
    const queued = await product.database
      .select()
      .from(mailQueue)
      .where(eq(mailQueue.email, person.email))
    expect(queued).toMatchObject([{ purpose: 'password_changed' }])
  })

  test('by bearer: the new token is in the answer, and no cookie is set', async () => {
    const person = await newPerson(product.database)
    const response = await sendAction(product.url, 'changePassword', change, byBearer(person.token))
    expect(response.headers.getSetCookie()).toEqual([])
    const called = await calledBy('changePassword', response)
    if ('redirected' in called || !called.ok) throw new Error(JSON.stringify(called))
    const { token } = called.data as { token: string }
    expect(await sessionAt(second.url, byBearer(token))).toBe(person.id)
    expect(await sessionAt(second.url, byBearer(person.token))).toBeUndefined()
  })

  test('that is refused sets no cookie, and tells no password back', async () => {
    const person = await newPerson(product.database)
    const wrong = { currentPassword: 'not the password', newPassword: 'something quite new' }
    const response = await sendAction(product.url, 'changePassword', wrong, byCookie(person.token))
    expect(response.headers.getSetCookie()).toEqual([])
    const text = await response.clone().text()
    expect(text).not.toMatch(/not the password|something quite new/)
    expect(await calledBy('changePassword', response)).toMatchObject({ code: 'invalid' })
    expect(await sessionAt(second.url, byCookie(person.token))).toBe(person.id)
  })
})

test('an account without a password is sent the link instead, and told so', async () => {
  const person = await newPerson(product.database, { password: false, providers: ['one-service'] })
  const response = await sendAction(product.url, 'changePassword', change, byCookie(person.token))
  expect(response.headers.getSetCookie()).toEqual([])
  expect(await calledBy('changePassword', response)).toEqual({ redirected: '/account?done=link' })
  const own = eq(mailQueue.email, person.email)
  expect(await product.database.select().from(mailQueue).where(own)).toMatchObject([
    { purpose: 'reset_password' },
  ])
  expect(await sessionAt(second.url, byCookie(person.token))).toBe(person.id)
})

test('a deleted account is signed out, here and on the other instance, and its cookie is cleared', async () => {
  const person = await newPerson(product.database)
  const phone = await signIn(product.database, person.user)
  const farewell = { confirmation: person.email, currentPassword: password }
  const response = await sendAction(product.url, 'deleteAccount', farewell, byCookie(person.token))
  const [cookie = ''] = response.headers.getSetCookie()
  expect(cookie).toMatch(/^authjs\.session-token=;/)
  expect(cookie).toMatch(/Expires=Thu, 01 Jan 1970/)
  expect(await calledBy('deleteAccount', response)).toEqual({ redirected: '/account/deleted' })
  for (const token of [person.token, phone.token]) {
    expect(await sessionAt(second.url, byCookie(token))).toBeUndefined()
  }
  expect(await product.database.$count(users, eq(users.id, person.id))).toBe(0)
  const links = eq(verificationTokens.email, person.email)
  expect(await product.database.$count(verificationTokens, links)).toBe(0)
})
