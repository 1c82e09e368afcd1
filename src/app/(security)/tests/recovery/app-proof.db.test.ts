import { eq, sql } from 'drizzle-orm'
import { hashPassword } from 'plinth/auth/passwords/hash'
import { storePassword } from 'plinth/auth/passwords/user-password'
import { isPending } from 'plinth/auth/sessions/steps'
import { recoveries } from 'plinth/db/schema'
import { storeRecoveryProof } from 'plinth/recovery/follow-link'
import { snapshot } from 'plinth/recovery/methods'
import { newClient, newScope, testDatabase } from 'plinth/testing'
import { describe, expect, test } from 'vitest'
import { prepareApp } from '../../data/factors/authenticator-app'
import { findFactors, listFactors } from '../../data/factors/factors'
import { codeAt, stepAt } from '../../data/factors/totp'
import { authenticatorApps } from '../../schema'
import { addApp, newPasskeyUser, newUser, nextCode, password } from '../users'
import { complete, newBrowser, open, proveWithApp, recoveringIn } from './recovering'

const db = testDatabase()
const { settle, removeApp, setEmail, linkTo, lastEvent } = recoveringIn(db)

/** A user with an app, whose thief has taken the email. */
async function robbed({ isRemoved = false } = {}) {
  const user = await newUser(db.database)
  const app = await addApp(db.database, user.scope)
  await settle()
  if (isRemoved) await removeApp(user)
  await setEmail(user, `thief-of-${user.email}`)
  const token = await linkTo(user.email)
  return { ...user, ...app, token }
}

const codeAfter = (secret: Buffer) => codeAt(secret, stepAt(Date.now()) + 1)

const secondStep = async (email: string, code: string) => {
  const client = newClient()
  const { challenge } = await (await client.signIn(email, password)).json()
  return client.post('/api/auth/signin/verify', {
    challenge,
    method: 'totp',
    code,
    redirect: false,
  })
}

describe('an app that was removed', () => {
  test('proves the recovery, comes back and signs in, and its code works once', async () => {
    const { id, email, secret, token } = await robbed({ isRemoved: true })
    await open(token)
    const browser = newBrowser()
    const code = nextCode(secret)
    expect(await proveWithApp({ token, browser }, code)).toBe(true)
    expect(await lastEvent()).toMatchObject({
      action: 'prove_to_recover',
      outcome: 'success',
      targetId: id,
      details: { with: 'app' },
    })
    expect(await proveWithApp({ token }, code)).toBe(false)
    const completed = await complete({ token, browser })
    expect(completed).toMatchObject({ email, needsCodes: false })
    expect(completed && isPending(completed.signedIn)).toBe(false)
    expect(await findFactors(id)).toMatchObject({ app: true, recoveryCodes: 0 })
    await storePassword(db.database, id, await hashPassword(password))
    expect((await secondStep(email, code)).status).toBe(401)
    expect((await secondStep(email, codeAfter(secret))).status).toBe(200)
  })

  test('comes back although another one is being set up', async () => {
    const { id, secret, token } = await robbed({ isRemoved: true })
    await prepareApp(db.database, { userId: id, preparedFor: 'the thief' })
    await open(token)
    const browser = newBrowser()
    expect(await proveWithApp({ token, browser }, nextCode(secret))).toBe(true)
    expect(await complete({ token, browser })).toBeDefined()
    expect(await findFactors(id)).toMatchObject({ app: true })
  })

  test('of concurrent uses of a code one is accepted', async () => {
    const { secret, token } = await robbed({ isRemoved: true })
    await open(token)
    const code = nextCode(secret)
    const results = await Promise.all([1, 2, 3].map(() => proveWithApp({ token }, code)))
    expect(results.filter(Boolean)).toHaveLength(1)
  })
})

test('a code that was used at a sign-in proves nothing, and the next one is used up', async () => {
  const { id, secret, token } = await robbed()
  await open(token)
  const lastStep = stepAt(Date.now())
  const isOwn = eq(authenticatorApps.userId, id)
  await db.database.update(authenticatorApps).set({ lastStep }).where(isOwn)
  expect(await proveWithApp({ token }, codeAt(secret, lastStep))).toBe(false)
  expect(await proveWithApp({ token }, codeAt(secret, lastStep + 1))).toBe(true)
  const [app] = await db.database.select().from(authenticatorApps).where(isOwn)
  expect(app).toMatchObject({ lastStep: lastStep + 1, confirmedAt: expect.any(Date) })
})

test('an app that was added since proves nothing', async () => {
  const user = await newUser(db.database)
  await settle()
  const { secret } = await addApp(db.database, user.scope)
  const token = await linkTo(user.email)
  await open(token)
  expect(await proveWithApp({ token }, nextCode(secret))).toBe(false)
  expect(await lastEvent()).toMatchObject({ action: 'prove_to_recover', outcome: 'failure' })
})

test('nothing is proved before the recovery is open', async () => {
  const { secret, token } = await robbed({ isRemoved: true })
  expect(await proveWithApp({ token }, nextCode(secret))).toBe(false)
  await open(token)
  expect(await proveWithApp({ token }, nextCode(secret))).toBe(true)
})

test('a link has ten tries in a day', async () => {
  const { secret, token } = await robbed()
  await open(token)
  for (let tries = 0; tries < 10; tries += 1) {
    expect(await proveWithApp({ token }, '000000x')).toBe(false)
  }
  const refused = { refused: { allowed: false } }
  expect(await proveWithApp({ token }, nextCode(secret))).toMatchObject(refused)
})

test('tries count for the account too, whichever link is used', async () => {
  const { email, secret, token } = await robbed()
  await open(token)
  for (let tries = 0; tries < 6; tries += 1) await proveWithApp({ token }, '000000x')
  const other = await linkTo(`thief-of-${email}`)
  for (let tries = 0; tries < 4; tries += 1) {
    expect(await proveWithApp({ token: other }, '000000x')).toBe(false)
  }
  expect(await proveWithApp({ token: other }, nextCode(secret))).toMatchObject({
    refused: { limit: 10 },
  })
})

describe('the sign-in at the end', () => {
  const byPassword = async (token: string, browser: { hash: Buffer }) =>
    storeRecoveryProof(newScope(), { token, browser, kind: 'password' }, ([method]) =>
      method ? { method } : undefined,
    )

  test('asks for the factor after a password', async () => {
    const { token } = await robbed()
    await open(token)
    const browser = newBrowser()
    expect(await byPassword(token, browser)).toBe(true)
    const completed = await complete({ token, browser })
    expect(completed?.signedIn).toMatchObject({ href: '/sign-in/verify', methods: ['totp'] })
  })

  test('asks for the factor after the wait, and for a removed one that came back', async () => {
    const { token } = await robbed({ isRemoved: true })
    await open(token)
    await db.database.update(recoveries).set({ readyAt: sql`now() - interval '1 second'` })
    const completed = await complete({ token })
    expect(completed?.signedIn).toMatchObject({ href: '/sign-in/verify', methods: ['totp'] })
  })

  test('asks for the factor if another browser has proved it', async () => {
    const { secret, token } = await robbed()
    await open(token)
    expect(await proveWithApp({ token }, nextCode(secret))).toBe(true)
    const browser = newBrowser()
    await byPassword(token, browser)
    const completed = await complete({ token, browser })
    expect(completed?.signedIn).toMatchObject({ href: '/sign-in/verify' })
  })
})

test('methods of the history have the ids of the factors that prove a change', async () => {
  const user = await newPasskeyUser(db.database)
  await addApp(db.database, user.scope)
  const factors = await listFactors(db.database, user.id)
  const methods = (await snapshot(db.database, user.id)).filter(({ kind }) =>
    ['app', 'passkey'].includes(kind),
  )
  expect(methods.map(({ kind, id }) => ({ kind, methodId: id }))).toEqual(factors)
})
