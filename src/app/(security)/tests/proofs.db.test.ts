import { eq } from 'drizzle-orm'
import { giveProof } from 'plinth/auth/accounts/change-proofs'
import { findSession } from 'plinth/auth/sessions/cache'
import { createSession } from 'plinth/auth/sessions/session'
import { fromNow } from 'plinth/db/clock'
import { changeProofs, mailQueue } from 'plinth/db/schema'
import { findConfirmation } from 'plinth/guard/change-proof'
import type { SignedInScope } from 'plinth/guard/policy'
import { installModules } from 'plinth/modules/installed-modules'
import { databaseRows, lastEvent, newScope, snapshotDatabase, testDatabase } from 'plinth/testing'
import { isActionError } from 'plinth/universal/action-result'
import { afterEach, describe, expect, test } from 'vitest'
import {
  confirmAuthenticatorApp,
  createRecoveryCodes,
  removeAuthenticatorApp,
  startAuthenticatorApp,
} from '../actions'
import { findFactors, listFactors } from '../data/factors/factors'
import { createSignInOptions } from '../data/factors/passkey-sign-in'
import { module } from '../module'
import { addPasskey, removePasskey, startPasskey } from '../passkey-actions'
import { proveWithApp, proveWithPasskey, proveWithRecoveryCode } from '../proof-actions'
import { authenticatorApps, passkeys } from '../schema'
import { newAuthenticator } from './authenticator'
import { addApp, newPasskeyUser, newUser, nextCode, password, secretOf, succeeded } from './users'

const db = testDatabase()
const { lastEvents } = databaseRows(db)

// As the root layout does.
installModules([module])

afterEach(() => db.database.delete(mailQueue))

const change = 'add_factor'
const start = { purpose: 'set_up' } as const
const required = { ok: false, code: 'proof_required', change }

type Given = { created: { session: SignedInScope['session'] }; isProven: boolean }

/** The session that has replaced the caller's. */
const renewed = (scope: SignedInScope, { created }: Given) => ({
  ...scope,
  session: created.session,
})

/** As on `/confirm`. */
async function givePassword(scope: SignedInScope) {
  const { session } = await db.database.transaction((tx) =>
    giveProof(tx, scope, change, { kind: 'password' }),
  )
  return { ...scope, session }
}

describe('a thief with a fresh session', () => {
  test('adds no factor and creates no codes', async () => {
    const { scope } = await newUser(db.database)
    const credential = newAuthenticator('anyone').register({ challenge: 'aW52ZW50ZWQ' })
    const before = await snapshotDatabase(db.database)
    for (const refused of [
      await startAuthenticatorApp.run(scope, start),
      await confirmAuthenticatorApp.run(scope, { code: '123456' }),
      await startPasskey.run(scope, {}),
      await addPasskey.run(scope, { credential }),
      await createRecoveryCodes.run(scope, {}),
    ]) {
      expect(refused).toMatchObject(required)
    }
    expect(await snapshotDatabase(db.database)).toBe(before)
  })

  test('removes no factor of an account that has one', async () => {
    const { scope } = await newUser(db.database)
    await addApp(db.database, scope)
    const { scope: other, authenticator } = await newPasskeyUser(db.database)
    const before = await snapshotDatabase(db.database)
    const refused = { code: 'proof_required', change: 'remove_factor' }
    expect(await removeAuthenticatorApp.run(scope, {})).toMatchObject(refused)
    expect(await removePasskey.run(other, { passkeyId: authenticator.id })).toMatchObject(refused)
    expect(await snapshotDatabase(db.database)).toBe(before)
  })

  test('does not gain by a proof of the owner, whose session is replaced', async () => {
    const { scope } = await newUser(db.database)
    const owner = await givePassword(scope)
    const stolen = await startAuthenticatorApp.run(scope, start)
    expect(stolen).toMatchObject({ code: 'unauthenticated' })
    succeeded(await startAuthenticatorApp.run(owner, start))
  })
})

describe('a thief with a session and the password', () => {
  test('adds the first factor and no second one', async () => {
    const { id, scope } = await newUser(db.database)
    const proven = await givePassword(scope)
    succeeded(await startAuthenticatorApp.run(proven, start))
    const code = nextCode(await secretOf(db.database, id))
    succeeded(await confirmAuthenticatorApp.run(proven, { code }))

    const again = await givePassword(proven)
    const before = await snapshotDatabase(db.database)
    expect(await startPasskey.run(again, {})).toMatchObject(required)
    expect(await createRecoveryCodes.run(again, {})).toMatchObject(required)
    const sent = { currentPassword: password } as object as Record<string, never>
    for (const action of [createRecoveryCodes, removeAuthenticatorApp]) {
      expect(await action.run(again, sent)).toMatchObject({ code: 'proof_required' })
    }
    expect(await snapshotDatabase(db.database)).toBe(before)
  })

  test('adds one of two first factors at the same time, from two sessions', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id, user, scope } = await newUser(db.database)
      const device = { ip: '::1' }
      const { session } = await createSession(db.database, user, device, { by: 'password' })
      const first = await givePassword(scope)
      const second = await givePassword({ ...newScope(), session })
      succeeded(await startAuthenticatorApp.run(first, start))
      const code = nextCode(await secretOf(db.database, id))
      const options = succeeded(await startPasskey.run(second, {}))
      const credential = newAuthenticator(id).register(options)
      const both = await Promise.all([
        confirmAuthenticatorApp.run(first, { code }),
        addPasskey.run(second, { credential }),
      ])
      expect(both.filter(isActionError)).toMatchObject([{ code: 'proof_required' }])
      const { app, passkeys: count } = await findFactors(id)
      expect(Number(app) + count).toBe(1)
    }
  })
})

describe('an authenticator app', () => {
  test('proves a change, and is named by it', async () => {
    const { id, scope } = await newUser(db.database)
    const { secret } = await addApp(db.database, scope)
    const given = succeeded(await proveWithApp.run(scope, { change, code: nextCode(secret) }))
    expect(given.isProven).toBe(true)
    const { given: proofs } = await findConfirmation(renewed(scope, given), change)
    expect(proofs).toEqual(await listFactors(db.database, id))
    const { codes } = succeeded(await createRecoveryCodes.run(renewed(scope, given), {}))
    expect(codes).toHaveLength(10)
    expect(await lastEvent(db.database)).toMatchObject({ details: { proved_by: 'app' } })
    expect(await createRecoveryCodes.run(renewed(scope, given), {})).toMatchObject(required)
  })

  test('a wrong code is refused and audited, and five of them end the session', async () => {
    const { scope, email, token } = await newUser(db.database)
    const { secret } = await addApp(db.database, scope)
    const wrong = { change, code: '000000' } as const
    const before = await snapshotDatabase(db.database)
    expect(await proveWithApp.run(scope, wrong)).toMatchObject({
      code: 'invalid',
      errors: [{ field: 'code' }],
    })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'prove_with_app',
      outcome: 'failure',
    })
    for (let tries = 1; tries < 5; tries += 1) await proveWithApp.run(scope, wrong)
    await db.database.delete(mailQueue)
    expect(await findSession(token)).toBeDefined()
    const right = { change, code: nextCode(secret) } as const
    expect(await proveWithApp.run(scope, right)).toMatchObject({ code: 'unauthenticated' })
    expect(await findSession(token)).toBeUndefined()
    expect(await db.database.select().from(mailQueue)).toMatchObject([
      { email, data: { kind: 'proofs_failed' } },
    ])
    expect(await lastEvents(2)).toMatchObject([
      { action: 'prove_with_app', outcome: 'denied', details: { reason: 'rate_limited' } },
      { action: 'sign_out', outcome: 'success' },
    ])
  })

  test('wrong codes in several sessions count together, and with those of sign-ins', async () => {
    const { scope, user } = await newUser(db.database)
    await addApp(db.database, scope)
    const wrong = { change, code: '000000' } as const
    const codes = []
    for (let sessions = 0; sessions < 3; sessions += 1) {
      const device = { ip: '::1' }
      const { session } = await createSession(db.database, user, device, { by: 'password' })
      for (let tries = 0; tries < 4; tries += 1) {
        codes.push(await proveWithApp.run({ ...newScope(), session }, wrong))
      }
    }
    expect(codes.slice(0, 10)).toEqual(Array(10).fill(expect.objectContaining({ code: 'invalid' })))
    expect(codes[10]).toMatchObject({ code: 'rate_limited' })
  })

  test('a wrong code while another is set up does not cost the proof', async () => {
    const { id, scope } = await newUser(db.database)
    const proven = await givePassword(scope)
    succeeded(await startAuthenticatorApp.run(proven, start))
    const wrong = await confirmAuthenticatorApp.run(proven, { code: '000000' })
    expect(wrong).toMatchObject({ code: 'invalid' })
    const code = nextCode(await secretOf(db.database, id))
    expect(succeeded(await confirmAuthenticatorApp.run(proven, { code })).codes).toHaveLength(10)
  })

  test('that was removed since proves nothing', async () => {
    const { id, scope } = await newUser(db.database)
    const { secret } = await addApp(db.database, scope)
    const key = { publicKey: Buffer.alloc(77), counter: 0, synced: true }
    await db.database.insert(passkeys).values({ id: 'other', userId: id, name: 'Key', ...key })
    const given = succeeded(await proveWithApp.run(scope, { change, code: nextCode(secret) }))
    await db.database.delete(authenticatorApps).where(eq(authenticatorApps.userId, id))
    const proven = renewed(scope, given)
    expect(await createRecoveryCodes.run(proven, {})).toMatchObject(required)
  })
})

describe('a passkey', () => {
  test('proves a change, and one of another user does not', async () => {
    const { scope, authenticator } = await newPasskeyUser(db.database)
    const other = await newPasskeyUser(db.database)
    const signed = async (by: typeof authenticator) => by.signIn(await createSignInOptions())
    const foreign = { change, credential: await signed(other.authenticator) } as const
    expect(await proveWithPasskey.run(scope, foreign)).toMatchObject({ code: 'conflict' })
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'prove_with_passkey',
      outcome: 'failure',
    })
    const credential = await signed(authenticator)
    const given = succeeded(await proveWithPasskey.run(scope, { change, credential }))
    expect(given.isProven).toBe(true)
    const { given: proofs } = await findConfirmation(renewed(scope, given), change)
    expect(proofs).toEqual([{ kind: 'passkey', methodId: authenticator.id }])
    const replayed = await proveWithPasskey.run(renewed(scope, given), { change, credential })
    expect(replayed).toMatchObject({ code: 'conflict' })
  })
})

describe('a recovery code', () => {
  test('is refused without the first proof, and not used up', async () => {
    const { id, scope } = await newUser(db.database)
    const { codes } = await addApp(db.database, scope)
    const code = codes[0] ?? ''
    const before = await snapshotDatabase(db.database)
    expect(await proveWithRecoveryCode.run(scope, { change, code })).toMatchObject({
      code: 'conflict',
    })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect((await findFactors(id)).recoveryCodes).toBe(10)
  })

  test('proves a change together with the password, once, and sends a notice', async () => {
    const { id, email, scope } = await newUser(db.database)
    const { codes } = await addApp(db.database, scope)
    await db.database.delete(mailQueue)
    const first = await givePassword(scope)
    expect(await createRecoveryCodes.run(first, {})).toMatchObject(required)
    const input = { change, code: codes[0] ?? '' } as const
    const given = succeeded(await proveWithRecoveryCode.run(first, input))
    expect(given.isProven).toBe(true)
    expect((await findFactors(id)).recoveryCodes).toBe(9)
    expect(await db.database.select().from(mailQueue)).toMatchObject([
      { email, data: { kind: 'code_used', left: 9 } },
    ])
    const proven = renewed(first, given)
    expect(await proveWithRecoveryCode.run(proven, input)).toMatchObject({ code: 'invalid' })
    succeeded(await startPasskey.run(proven, {}))
    const options = succeeded(await startPasskey.run(proven, {}))
    const credential = newAuthenticator(id).register(options)
    succeeded(await addPasskey.run(proven, { credential }))
    expect((await findFactors(id)).passkeys).toBe(1)
  })
})

test('a proof ends after ten minutes', async () => {
  const { scope } = await newUser(db.database)
  const proven = await givePassword(scope)
  succeeded(await startAuthenticatorApp.run(proven, start))
  await db.database
    .update(changeProofs)
    .set({ createdAt: fromNow(-(10 * 60_000 + 1000)) })
    .where(eq(changeProofs.sessionId, proven.session.id))
  expect(await confirmAuthenticatorApp.run(proven, { code: '123456' })).toMatchObject(required)
})
