import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLink } from '#auth/accounts/links'
import { finishSignUp, resetPasswordWithLink } from '#auth/accounts/sign-up'
import { createDemoAccounts } from '#auth/accounts/users'
import { signInWithProvider } from '#auth/oauth/sign-in'
import {
  type FirstProof,
  hasSignInSteps,
  installSignInSteps,
  type SignInStep,
} from '#auth/sessions/steps'
import { accounts, sessions } from '#db/schema'
import { registerApp } from '#modules/app'
import { start } from '#server/start'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'
import { databaseRows, userIdOf } from '#testing/database/database-rows'
import { newScope } from '#testing/scope'
import { demoPassword } from '#universal/users'
import { app } from '@/register'
import { bookmarkShared } from '../support/bookmarks-mail'

const db = testDatabase()
const { lastEvents } = databaseRows(db)
const pending = { challenge: 'opaque', methods: ['totp'], href: '/sign-in/verify' }
const proofs: FirstProof[] = []

const step: SignInStep = {
  isRequired: async (_database, _scope, { role, name }) => role === 'admin' || name === 'Ann',
  start: async (_transaction, _scope, proof) => {
    proofs.push(proof)
    return pending
  },
}

beforeAll(async () => {
  await createDemoAccounts(db.database)
  // As the manifest of a module, which the first client installs with the API.
  newClient()
  installSignInSteps([{ signInSteps: [step] }])
})

afterAll(() => installSignInSteps([]))

beforeEach(async () => {
  proofs.length = 0
  await db.database.delete(sessions)
})

const sessionCount = () => db.database.$count(sessions)
const form = (fields: Record<string, string>) => ({
  method: 'POST',
  body: new URLSearchParams(fields),
  headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
})

test('the registration installs them, so that a first request cannot come before', () => {
  installSignInSteps([])
  expect(hasSignInSteps()).toBe(false)
  registerApp({ ...app, modules: [{ id: 'notes', signInSteps: [step] }] })
  expect(hasSignInSteps()).toBe(true)
})

test('a start with the mail of another module stops before it opens a database', async () => {
  start.clear()
  await expect(start([{ id: 'notes', mail: [bookmarkShared] }])).rejects.toThrow(
    'must start with "notes."',
  )
})

test('a user without a further step signs in as before', async () => {
  const client = newClient()
  expect((await client.signIn('viewer@example.com')).status).toBe(200)
  expect(proofs).toEqual([])
  expect(await sessionCount()).toBe(1)
})

describe('a correct password of a user with a further step', () => {
  test('returns the challenge and its methods, and no session exists', async () => {
    const client = newClient()
    const response = await client.signIn('admin@example.com')
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({
      code: 'second_factor_required',
      challenge: 'opaque',
      methods: ['totp'],
    })
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await client.session()).toBeNull()
    expect(await sessionCount()).toBe(0)
    expect(await lastEvents(1)).toMatchObject([
      { action: 'start_sign_in', outcome: 'success', actorId: null, details: { by: 'password' } },
    ])
  })

  test('leads a form to the page of the step, with the challenge in a cookie', async () => {
    const client = newClient()
    const fields = { email: 'admin@example.com', password: demoPassword, callbackUrl: '/home' }
    const response = await client.send('/api/auth/signin', form(fields))
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/sign-in/verify?callbackUrl=%2Fhome')
    const cookie = response.headers.getSetCookie().find((line) => line.includes('challenge'))
    expect(cookie).toMatch(
      /^plinth\.sign-in-challenge=opaque; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(await sessionCount()).toBe(0)
  })

  test("is a clear error for Auth.js's client", async () => {
    const client = newClient()
    const { csrfToken } = await (await client.send('/api/auth/csrf')).json()
    const body = { csrfToken, email: 'admin@example.com', password: demoPassword }
    const response = await client.post('/api/auth/callback/credentials', body, {
      'x-auth-return-redirect': '1',
    })
    const { searchParams } = new URL((await response.json()).url)
    expect(searchParams.get('error')).toBe('CredentialsSignin')
    expect(searchParams.get('code')).toBe('second_factor_required')
  })

  test('a wrong password tells nothing of the step', async () => {
    const response = await newClient().signIn('admin@example.com', 'wrong')
    expect(await response.json()).toMatchObject({ code: 'invalid_credentials' })
    expect(proofs).toEqual([])
  })
})

test('a provider, a sign-up and a password reset create no session either', async () => {
  const admin = await userIdOf(db.database, 'admin@example.com')
  await db.database
    .insert(accounts)
    .values({ provider: 'github', providerAccountId: '7', userId: admin })
  const profile = { provider: 'github', accountId: '7', email: undefined, name: undefined }
  expect(await signInWithProvider(newScope(), profile, { linkTo: undefined })).toBe(pending)

  const link = { email: 'ann@example.com', userId: null }
  const token = await createLink(db.database, 'verify_email', link)
  const account = { token, name: 'Ann', password: 'a few words in a row' }
  expect(await finishSignUp(newScope(), 'verify_email', account)).toEqual({
    outcome: 'done',
    signedIn: pending,
  })
  expect((await lastEvents(2)).map(({ action }) => action)).not.toContain('sign_in')

  const forAdmin = { email: 'admin@example.com', userId: admin }
  const reset = await resetPasswordWithLink(newScope(), {
    token: await createLink(db.database, 'reset_password', forAdmin),
    password: 'other words in a row',
    keep: ['github'],
  })
  expect(reset).toEqual({ outcome: 'done', signedIn: pending })
  expect(proofs.map(({ by }) => by)).toEqual(['github', 'link', 'link'])
  expect(await db.database.$count(sessions, eq(sessions.userId, admin))).toBe(0)
  expect(await sessionCount()).toBe(0)
})
