import { eq } from 'drizzle-orm'
import { findSession } from 'plinth/auth/sessions/cache'
import { env } from 'plinth/config/env'
import { fromNow } from 'plinth/db/clock'
import { mailQueue } from 'plinth/db/schema'
import { installModules } from 'plinth/modules/installed-modules'
import { giveAllProofs, lastEvent, snapshotDatabase, testDatabase } from 'plinth/testing'
import { afterEach, describe, expect, test } from 'vitest'
import {
  confirmAuthenticatorApp,
  createRecoveryCodes,
  forgetBrowser,
  removeAuthenticatorApp,
  resetUserFactors,
  startAuthenticatorApp,
  updateNotices,
} from '../../actions'
import { listBrowsers, rememberBrowser } from '../../data/factors/browsers'
import { findFactors } from '../../data/factors/factors'
import { exportSecurity } from '../../data/overview'
import { module } from '../../module'
import { authenticatorApps, recoveryCodes, rememberedBrowsers } from '../../schema'
import { addApp, changeNotices, newUser, nextCode, secretOf, succeeded } from '../users'

const db = testDatabase()

// As the root layout does.
installModules([module])

afterEach(async () => {
  Object.assign(env(), { SECOND_FACTOR: 'optional' })
  await db.database.delete(mailQueue)
})

const start = { purpose: 'set_up' } as const

const notices = async () =>
  (await db.database.select().from(mailQueue)).map(({ email, data }) => ({ email, ...data }))

describe('an authenticator app', () => {
  test('does not count until its first code', async () => {
    const { id, scope } = await newUser(db.database)
    await giveAllProofs(db.database, scope, 'add_factor')
    succeeded(await startAuthenticatorApp.run(scope, start))
    expect(await findFactors(id)).toEqual({ app: false, passkeys: 0, recoveryCodes: 0 })
    const before = await snapshotDatabase(db.database)
    expect(await confirmAuthenticatorApp.run(scope, { code: '000000' })).toMatchObject({
      ok: false,
      code: 'invalid',
      errors: [{ field: 'code' }],
    })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'add_authenticator_app',
      outcome: 'failure',
    })
    const code = nextCode(await secretOf(db.database, id))
    const { codes } = succeeded(await confirmAuthenticatorApp.run(scope, { code }))
    expect(codes).toHaveLength(10)
    expect(await findFactors(id)).toEqual({ app: true, passkeys: 0, recoveryCodes: 10 })
  })

  test('is stored encrypted, and its recovery codes as hashes', async () => {
    const { id, scope } = await newUser(db.database)
    const { secret, codes } = await addApp(db.database, scope)
    const [app] = await db.database
      .select()
      .from(authenticatorApps)
      .where(eq(authenticatorApps.userId, id))
    expect(app?.secret.includes(secret)).toBe(false)
    const stored = await db.database
      .select()
      .from(recoveryCodes)
      .where(eq(recoveryCodes.userId, id))
    const text = stored.map(({ codeHash }) => codeHash.toString('latin1')).join()
    for (const code of codes) expect(text).not.toContain(code)
    expect(new Set(codes).size).toBe(10)
  })

  test('is not replaced by a new secret', async () => {
    const { id, scope } = await newUser(db.database)
    const { secret } = await addApp(db.database, scope)
    await giveAllProofs(db.database, scope, 'add_factor')
    succeeded(await startAuthenticatorApp.run(scope, start))
    expect(await secretOf(db.database, id)).toEqual(secret)
  })

  test('each change sends a notice', async () => {
    const { email, scope } = await newUser(db.database)
    await addApp(db.database, scope)
    await giveAllProofs(db.database, scope, 'add_factor')
    succeeded(await createRecoveryCodes.run(scope, {}))
    await giveAllProofs(db.database, scope, 'remove_factor')
    succeeded(await removeAuthenticatorApp.run(scope, {}))
    const link = 'open'
    const added = ['An authenticator app was added.', 'Recovery codes were created.']
    const replaced = ['New recovery codes were created. The earlier ones no longer work.']
    const removed = ['The authenticator app was removed.', 'The recovery codes were removed.']
    expect(await changeNotices(db.database)).toEqual(
      [added, replaced, removed].map((says) => ({ email, says, link })),
    )
  })

  test('its removal ends recovery codes and remembered browsers', async () => {
    const { id, scope } = await newUser(db.database)
    await addApp(db.database, scope)
    await rememberBrowser(db.database, scope, id, 'device')
    await giveAllProofs(db.database, scope, 'remove_factor')
    succeeded(await removeAuthenticatorApp.run(scope, {}))
    expect(await findFactors(id)).toEqual({ app: false, passkeys: 0, recoveryCodes: 0 })
    const left = await db.database.$count(rememberedBrowsers, eq(rememberedBrowsers.userId, id))
    expect(left).toBe(0)
    await giveAllProofs(db.database, scope, 'remove_factor')
    expect(await removeAuthenticatorApp.run(scope, {})).toMatchObject({ code: 'conflict' })
  })

  test('the last factor stays where the settings require one', async () => {
    const { id, scope } = await newUser(db.database)
    await addApp(db.database, scope)
    Object.assign(env(), { SECOND_FACTOR: 'everyone' })
    await giveAllProofs(db.database, scope, 'remove_factor')
    expect(await removeAuthenticatorApp.run(scope, {})).toMatchObject({ code: 'conflict' })
    expect((await findFactors(id)).app).toBe(true)
  })
})

describe('recovery codes', () => {
  test('are replaced together', async () => {
    const { id, scope } = await newUser(db.database)
    const { codes } = await addApp(db.database, scope)
    await giveAllProofs(db.database, scope, 'add_factor')
    const created = succeeded(await createRecoveryCodes.run(scope, {}))
    expect(created.codes).toHaveLength(10)
    expect(created.codes.filter((code) => codes.includes(code))).toEqual([])
    expect(await db.database.$count(recoveryCodes, eq(recoveryCodes.userId, id))).toBe(10)
  })

  test('need a factor that they recover', async () => {
    const { scope } = await newUser(db.database)
    await giveAllProofs(db.database, scope, 'add_factor')
    expect(await createRecoveryCodes.run(scope, {})).toMatchObject({ code: 'conflict' })
  })
})

describe('a remembered browser', () => {
  test('beyond the fifty that are listed, the oldest is forgotten', async () => {
    const { id, scope } = await newUser(db.database)
    const ofDevice = (count: number) => ({
      userId: id,
      deviceHash: Buffer.alloc(32, count),
      createdAt: fromNow((count - 100) * 1000),
      expiresAt: fromNow(60_000),
    })
    const many = Array.from({ length: 50 }, (_, count) => ofDevice(count))
    await db.database.insert(rememberedBrowsers).values(many)
    await rememberBrowser(db.database, scope, id, 'device')
    const left = await db.database
      .select({ deviceHash: rememberedBrowsers.deviceHash })
      .from(rememberedBrowsers)
      .where(eq(rememberedBrowsers.userId, id))
    expect(left).toHaveLength(50)
    expect(left.some(({ deviceHash }) => deviceHash.equals(Buffer.alloc(32, 0)))).toBe(false)
    expect(left.some(({ deviceHash }) => deviceHash.equals(Buffer.alloc(32, 1)))).toBe(true)
    expect(await listBrowsers(id)).toHaveLength(50)
  })

  test('is forgotten by its user only', async () => {
    const owner = await newUser(db.database)
    const other = await newUser(db.database)
    await rememberBrowser(db.database, owner.scope, owner.id, 'device')
    const [row] = await db.database
      .select()
      .from(rememberedBrowsers)
      .where(eq(rememberedBrowsers.userId, owner.id))
    const input = { browserId: row?.id ?? '' }
    expect(await forgetBrowser.run(other.scope, input)).toMatchObject({ code: 'not_found' })
    succeeded(await forgetBrowser.run(owner.scope, input))
    expect(await forgetBrowser.run(owner.scope, input)).toMatchObject({ code: 'not_found' })
  })
})

describe('an admin', () => {
  test('resets the factors of a user, who is signed out and gets a mail', async () => {
    const admin = await newUser(db.database, 'admin')
    const user = await newUser(db.database)
    await addApp(db.database, user.scope)
    await db.database.delete(mailQueue)
    succeeded(await resetUserFactors.run(admin.scope, { userId: user.id }))
    expect(await findFactors(user.id)).toEqual({ app: false, passkeys: 0, recoveryCodes: 0 })
    expect(await findSession(user.token)).toBeUndefined()
    expect(await notices()).toEqual([{ email: user.email, kind: 'factors_reset' }])
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'reset_user_factors',
      actorId: admin.id,
      targetId: user.id,
    })
    const again = await resetUserFactors.run(admin.scope, { userId: user.id })
    expect(again).toMatchObject({ code: 'conflict' })
  })

  test('no one else can', async () => {
    const editor = await newUser(db.database, 'editor')
    const user = await newUser(db.database)
    await addApp(db.database, user.scope)
    const before = await snapshotDatabase(db.database)
    const refused = await resetUserFactors.run(editor.scope, { userId: user.id })
    expect(refused).toMatchObject({ code: 'forbidden' })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await lastEvent(db.database)).toMatchObject({ outcome: 'denied' })
  })
})

test('the data export has the settings and no secret', async () => {
  const { scope } = await newUser(db.database)
  const { secret, codes } = await addApp(db.database, scope)
  succeeded(await updateNotices.run(scope, { newDevice: false }))
  const exported = await exportSecurity(scope)
  expect(exported).toMatchObject({ recoveryCodesLeft: 10, noticeOfNewDevices: false })
  const text = JSON.stringify(exported)
  for (const hidden of [secret.toString('base64'), secret.toString('hex'), ...codes]) {
    expect(text).not.toContain(hidden)
  }
})
