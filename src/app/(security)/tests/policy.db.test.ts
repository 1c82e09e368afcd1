import { createLink } from 'plinth/auth/accounts/links'
import { resetPasswordWithLink } from 'plinth/auth/accounts/sign-up'
import { signInWithProvider } from 'plinth/auth/oauth/sign-in'
import { env } from 'plinth/config/env'
import { accounts, sessions } from 'plinth/db/schema'
import { newClient, newScope, testDatabase } from 'plinth/testing'
import type { Role } from 'plinth/universal/users'
import { afterEach, expect, test } from 'vitest'
import { addApp, newUser, password } from './users'

const db = testDatabase()

afterEach(() => {
  Object.assign(env(), { SECOND_FACTOR: 'optional' })
})

const policies: [policy: string, role: Role, mustEnroll: boolean][] = [
  ['optional', 'admin', false],
  ['admins', 'viewer', false],
  ['admins', 'editor', false],
  ['admins', 'admin', true],
  ['everyone', 'viewer', true],
  ['everyone', 'admin', true],
]

test.each(policies)('SECOND_FACTOR=%s, %s: must enroll is %s', async (policy, role, mustEnroll) => {
  const { email } = await newUser(db.database, role)
  await db.database.delete(sessions)
  Object.assign(env(), { SECOND_FACTOR: policy })
  const response = await newClient().signIn(email, password)
  if (!mustEnroll) return expect(response.status).toBe(200)
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({
    code: 'second_factor_required',
    methods: [],
    detail: 'Your account needs a second factor. Sign in with a browser to set one up.',
  })
  expect(await db.database.$count(sessions)).toBe(0)
})

test('a form is led to the page that sets one up', async () => {
  const { email } = await newUser(db.database)
  Object.assign(env(), { SECOND_FACTOR: 'everyone' })
  const response = await newClient().send('/api/auth/signin', {
    method: 'POST',
    body: new URLSearchParams({ email, password, callbackUrl: '/home' }),
    headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
  })
  expect(response.headers.get('location')).toBe('/sign-in/enroll?callbackUrl=%2Fhome')
})

test('the challenge of a user without a factor cannot be completed with a code', async () => {
  const { email } = await newUser(db.database)
  Object.assign(env(), { SECOND_FACTOR: 'everyone' })
  const client = newClient()
  const { challenge } = await (await client.signIn(email, password)).json()
  for (const method of ['totp', 'recovery_code']) {
    const body = { challenge, method, code: '000000' }
    const response = await client.post('/api/auth/signin/verify', body)
    expect(await response.json()).toMatchObject({ code: 'invalid_code' })
  }
})

test('the second factor applies to a provider and to a reset link too', async () => {
  const { id, email, scope } = await newUser(db.database)
  await addApp(db.database, scope)
  await db.database
    .insert(accounts)
    .values({ provider: 'github', providerAccountId: id, userId: id })
  await db.database.delete(sessions)
  const profile = { provider: 'github', accountId: id, email: undefined, name: undefined }
  const pending = { methods: ['totp', 'recovery_code'], href: '/sign-in/verify' }
  const byProvider = await signInWithProvider(newScope(), profile, { linkTo: undefined })
  expect(byProvider).toMatchObject(pending)
  const reset = await resetPasswordWithLink(newScope(), {
    token: await createLink(db.database, 'reset_password', { email, userId: id }),
    password: 'other words in a row',
    keep: ['github'],
  })
  expect(reset).toMatchObject({ outcome: 'done', signedIn: pending })
  expect(await db.database.$count(sessions)).toBe(0)
})
