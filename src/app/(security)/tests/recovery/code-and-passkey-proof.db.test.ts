import { and, eq, ne } from 'drizzle-orm'
import { rejectRecovery } from 'plinth/recovery/decide'
import { viewRecovery } from 'plinth/recovery/view'
import { newScope, sessionOf, testDatabase } from 'plinth/testing'
import { describe, expect, test } from 'vitest'
import { createRecoveryCodes } from '../../actions'
import { findFactors } from '../../data/factors/factors'
import { createSignInOptions } from '../../data/factors/passkey-sign-in'
import {
  consumeRecoveryCode,
  createRecoveryCodes as createCodes,
  hashTyped,
} from '../../data/factors/recovery-codes'
import { addPasskey } from '../../passkey-actions'
import { passkeys, recoveryCodes } from '../../schema'
import { addApp, newPasskeyUser, newUser, startRegistration, succeeded } from '../users'
import {
  complete,
  newBrowser,
  open,
  proveWithCode,
  proveWithPasskey,
  recoveringIn,
} from './recovering'

const db = testDatabase()
const { settle, removeApp, removePasskey, setEmail, linkTo, change } = recoveringIn(db)

describe('a recovery code', () => {
  /** A user with recovery codes, whose thief has taken the email. */
  async function robbed({ isRemoved = false } = {}) {
    const user = await newUser(db.database)
    const { codes } = await addApp(db.database, user.scope)
    await settle()
    if (isRemoved) await removeApp(user)
    await setEmail(user, `thief-of-${user.email}`)
    const [code = '', other = ''] = codes
    return { ...user, code, other, token: await linkTo(user.email) }
  }

  test.each([
    ['that was removed', true],
    ['of the account', false],
  ])('%s proves once, and the user creates new ones', async (_, isRemoved) => {
    const { id, code, other, token } = await robbed({ isRemoved })
    await open(token)
    const browser = newBrowser()
    expect(await proveWithCode({ token, browser }, code)).toBe(true)
    expect(await proveWithCode({ token }, code)).toBe(false)
    expect(await proveWithCode({ token }, other)).toBe(true)
    const completed = await complete({ token, browser })
    expect(completed).toMatchObject({ needsCodes: true })
    expect(await findFactors(id)).toMatchObject({ app: true, recoveryCodes: 0 })
    // The phone may be lost, so neither the sign-in nor new codes need it.
    const { session } = sessionOf(completed?.signedIn)
    const scope = { ...newScope(), session }
    const { codes } = succeeded(await createRecoveryCodes.run(scope, {}))
    expect(codes).toHaveLength(10)
    expect(await createRecoveryCodes.run(scope, {})).toMatchObject({ code: 'proof_required' })
    expect(await consumeRecoveryCode(db.database, id, code)).toBeUndefined()
  })

  test('that was used at a sign-in, or created since, proves nothing', async () => {
    const user = await newUser(db.database)
    const { codes } = await addApp(db.database, user.scope)
    const [code = ''] = codes
    await consumeRecoveryCode(db.database, user.id, code)
    await settle()
    const [newCode = ''] = await change(user.id, (tx) => createCodes(tx, user.id))
    const token = await linkTo(user.email)
    await open(token)
    expect(await proveWithCode({ token }, code)).toBe(false)
    expect(await proveWithCode({ token }, newCode)).toBe(false)
    expect(await proveWithCode({ token }, codes[1] ?? '')).toBe(true)
  })

  test('counts also if it was the last one', async () => {
    const { id, email, code, token } = await robbed()
    const isOther = and(eq(recoveryCodes.userId, id), ne(recoveryCodes.codeHash, hashTyped(code)))
    await db.database.update(recoveryCodes).set({ usedAt: new Date() }).where(isOther)
    await open(token)
    const browser = newBrowser()
    expect(await proveWithCode({ token, browser }, code)).toBe(true)
    expect(await findFactors(id)).toMatchObject({ recoveryCodes: 0 })
    expect(await viewRecovery(token, browser)).toMatchObject({ state: 'ready', email })
  })

  test('stays used if the recovery is rejected', async () => {
    const { id, code, token } = await robbed()
    await open(token)
    expect(await proveWithCode({ token }, code)).toBe(true)
    await db.database.transaction((tx) => rejectRecovery(tx, id))
    expect(await consumeRecoveryCode(db.database, id, code)).toBeUndefined()
    expect(await findFactors(id)).toMatchObject({ recoveryCodes: 9 })
  })
})

describe('a passkey', () => {
  /** A user with a passkey, whose thief has taken the email. */
  async function robbed({ isRemoved = false } = {}) {
    const user = await newPasskeyUser(db.database)
    await settle()
    if (isRemoved) await removePasskey(user, user.authenticator.id)
    await setEmail(user, `thief-of-${user.email}`)
    return { ...user, token: await linkTo(user.email) }
  }

  test('that was removed proves the recovery, comes back and signs in', async () => {
    const { id, email, authenticator, token, options, verify } = await robbed({ isRemoved: true })
    await open(token)
    const browser = newBrowser()
    const credential = authenticator.signIn(await createSignInOptions())
    expect(await proveWithPasskey({ token, browser }, credential)).toBe(true)
    expect(await proveWithPasskey({ token }, credential)).toBe(false)
    const completed = await complete({ token, browser })
    expect(completed).toMatchObject({ email, needsCodes: false })
    expect(sessionOf(completed?.signedIn).session.user.id).toBe(id)
    const [restored] = await db.database.select().from(passkeys).where(eq(passkeys.userId, id))
    expect(restored).toMatchObject({ id: authenticator.id, counter: 1, name: 'Laptop' })
    expect((await verify(authenticator.signIn(await options()))).status).toBe(200)
  })

  test('of the account proves, and its counter has to grow', async () => {
    const { id, authenticator, token } = await robbed()
    await open(token)
    expect(
      await proveWithPasskey({ token }, authenticator.signIn(await createSignInOptions())),
    ).toBe(true)
    const isOwn = eq(passkeys.userId, id)
    expect(await db.database.select().from(passkeys).where(isOwn)).toMatchObject([{ counter: 1 }])
    await db.database.update(passkeys).set({ counter: 50 }).where(isOwn)
    expect(
      await proveWithPasskey({ token }, authenticator.signIn(await createSignInOptions())),
    ).toBe(false)
  })

  test('that was added since proves nothing, and goes', async () => {
    const { id, scope, authenticator: own, token } = await robbed({ isRemoved: true })
    const { options, authenticator } = await startRegistration(scope)
    const credential = authenticator.register(options)
    succeeded(await addPasskey.run(scope, { credential, name: 'Of the thief' }))
    await open(token)
    const browser = newBrowser()
    const given = { token, browser }
    expect(await proveWithPasskey(given, authenticator.signIn(await createSignInOptions()))).toBe(
      false,
    )
    expect(await complete(given)).toBeUndefined()
    expect(await proveWithPasskey(given, own.signIn(await createSignInOptions()))).toBe(true)
    expect(await complete(given)).toBeDefined()
    const left = await db.database.select().from(passkeys).where(eq(passkeys.userId, id))
    expect(left.map((passkey) => passkey.id)).toEqual([own.id])
  })

  test('of another user, or for another challenge, proves nothing', async () => {
    const { authenticator, token } = await robbed()
    const other = await robbed()
    await open(token)
    await open(other.token)
    const ofOther = other.authenticator.signIn(await createSignInOptions())
    expect(await proveWithPasskey({ token }, ofOther)).toBe(false)
    const invented = authenticator.signIn({ challenge: 'aW52ZW50ZWQ' })
    expect(await proveWithPasskey({ token }, invented)).toBe(false)
  })
})
