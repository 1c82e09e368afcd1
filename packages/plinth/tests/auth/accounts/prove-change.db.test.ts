import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accountMail } from '#auth/accounts/account-mail'
import { type Change, installFactors } from '#auth/accounts/change-proofs'
import { deleteExpiredMailCodes } from '#auth/accounts/mail-codes'
import { createDemoAccounts } from '#auth/accounts/users'
import { findSession } from '#auth/sessions/cache'
import { createSession } from '#auth/sessions/session'
import { env } from '#config/env'
import { changeProofs, mailCodes, mailQueue, users } from '#db/schema'
import { findConfirmation } from '#guard/change-proof'
import type { SignedInScope } from '#guard/policy'
import { testDatabase } from '#testing/database/database'
import { lastEvent, snapshotDatabase } from '#testing/database/database-rows'
import { newScope, signedInScope } from '#testing/scope'
import { isActionError } from '#universal/action-result'
import { demoPassword } from '#universal/users'
import { proveWithMailCode, proveWithPassword, sendChangeCode } from '@/app/(auth)/confirm/actions'

const db = testDatabase()
const change = 'add_factor'

// A generated secret needs a DATA_DIR, and these tests have none.
env().AUTH_SECRET ??= 'only-for-tests-'.repeat(3)

beforeAll(() => createDemoAccounts(db.database))

afterEach(async () => {
  installFactors([])
  await db.database.delete(mailQueue)
})

function succeeded<Result>(result: Result) {
  if (isActionError(result)) throw new Error(JSON.stringify(result))
  return result as Exclude<Result, { ok: false }>
}

const isProven = async (scope: SignedInScope, of: Change = change) =>
  (await findConfirmation(scope, of)).isProven

let count = 0

/** A user who signs in by links: without a password and a provider. */
async function newLinkUser() {
  count += 1
  const email = `link-user-${count}@example.com`
  const [user] = await db.database
    .insert(users)
    .values({ email, name: 'User', emailVerifiedAt: new Date() })
    .returning()
  if (!user) throw new Error('The user was not stored.')
  return { user, scope: await anotherSession(user) }
}

async function anotherSession(user: Parameters<typeof createSession>[1]) {
  const { session } = await createSession(db.database, user, { ip: '::1' }, { by: 'link' })
  return { ...newScope(), session }
}

/** Sends the queued mail and returns the code in it. */
async function readCode(): Promise<string> {
  const [queued] = await db.database.select().from(mailQueue)
  await db.database.delete(mailQueue)
  const message = queued && (await accountMail.confirm_change(queued))
  const [code] = /(?<![\w-])[0-9A-Z]{4}-[0-9A-Z]{4}(?![\w-])/.exec(message?.text ?? '') ?? []
  return code ?? ''
}

describe('a password', () => {
  let scope: SignedInScope
  beforeEach(async () => {
    scope = await signedInScope(db.database, 'viewer@example.com')
  })

  test('proves one change, in a new session that replaces the old one', async () => {
    const input = { change, currentPassword: demoPassword } as const
    const { created, isProven: isDone } = succeeded(await proveWithPassword.run(scope, input))
    expect(isDone).toBe(true)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'prove_with_password',
      outcome: 'success',
      actorId: scope.session.user.id,
      details: { change },
    })
    const renewed = { ...scope, session: created.session }
    expect(await isProven(renewed)).toBe(true)
    expect(await isProven(renewed, 'delete_account')).toBe(false)
    expect(await findSession(created.token)).toMatchObject({ id: created.session.id })
    expect(await proveWithPassword.run(scope, input)).toMatchObject({ code: 'unauthenticated' })
  })

  test('is no sign-in: the old one stays as old as it is', async () => {
    const { authenticatedAt, authenticatedBy } = scope.session
    const input = { change, currentPassword: demoPassword } as const
    const { created } = succeeded(await proveWithPassword.run(scope, input))
    expect(created.session).toMatchObject({ authenticatedAt, authenticatedBy })
  })

  test('keeps what was proved before', async () => {
    const input = { currentPassword: demoPassword }
    const first = succeeded(await proveWithPassword.run(scope, { ...input, change }))
    const renewed = { ...scope, session: first.created.session }
    const second = succeeded(
      await proveWithPassword.run(renewed, { ...input, change: 'delete_account' }),
    )
    const last = { ...scope, session: second.created.session }
    expect([await isProven(last), await isProven(last, 'delete_account')]).toEqual([true, true])
  })

  test('is refused if it is wrong, and the failure is audited', async () => {
    const before = await snapshotDatabase(db.database)
    const input = { change, currentPassword: 'not the password' } as const
    expect(await proveWithPassword.run(scope, input)).toMatchObject({
      code: 'invalid',
      errors: [{ field: 'currentPassword' }],
    })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'prove_with_password',
      outcome: 'failure',
    })
  })

  test('of a user with a factor is not enough', async () => {
    const find = async () => [{ kind: 'app' as const, methodId: 'phone' }]
    installFactors([{ factors: { find, page: '/factor' } }])
    const input = { change, currentPassword: demoPassword } as const
    const { created, isProven: isDone } = succeeded(await proveWithPassword.run(scope, input))
    expect(isDone).toBe(false)
    const renewed = { ...scope, session: created.session }
    expect(await findConfirmation(renewed, change)).toMatchObject({
      hasFirstProof: true,
      isProven: false,
    })
  })

  test('is asked for instead of a code by mail', async () => {
    expect(await sendChangeCode.run(scope, { change })).toMatchObject({ code: 'conflict' })
    expect(await db.database.$count(mailQueue)).toBe(0)
  })
})

describe('a code by mail', () => {
  test('proves a change of a user without a password and a provider, once', async () => {
    const { user, scope } = await newLinkUser()
    succeeded(await sendChangeCode.run(scope, { change }))
    expect(await db.database.select().from(mailQueue)).toMatchObject([
      { purpose: 'confirm_change', email: user.email },
    ])
    const code = await readCode()
    const [stored] = await db.database.select().from(mailCodes)
    expect(stored?.codeHash.toString('latin1')).not.toContain(code)
    const typed = ` ${code.toLowerCase().replace('-', ' ')} `
    const { created } = succeeded(await proveWithMailCode.run(scope, { change, code: typed }))
    const renewed = { ...scope, session: created.session }
    expect(await isProven(renewed)).toBe(true)
    expect(await proveWithMailCode.run(renewed, { change, code })).toMatchObject({
      code: 'invalid',
      errors: [{ field: 'code' }],
    })
  })

  test('works neither in another session nor for another change', async () => {
    const { user, scope } = await newLinkUser()
    succeeded(await sendChangeCode.run(scope, { change }))
    const code = await readCode()
    const other = await anotherSession(user)
    const before = await snapshotDatabase(db.database)
    for (const [by, of] of [
      [other, change],
      [scope, 'delete_account'],
    ] as const) {
      expect(await proveWithMailCode.run(by, { change: of, code })).toMatchObject({
        code: 'invalid',
      })
    }
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'prove_with_mail_code',
      outcome: 'failure',
    })
  })

  test('has five tries', async () => {
    const { scope } = await newLinkUser()
    succeeded(await sendChangeCode.run(scope, { change }))
    const code = await readCode()
    for (let tries = 0; tries < 5; tries += 1) {
      const wrong = { change, code: '0000-0000' } as const
      expect(await proveWithMailCode.run(scope, wrong)).toMatchObject({ code: 'invalid' })
    }
    expect(await proveWithMailCode.run(scope, { change, code })).toMatchObject({ code: 'invalid' })
    expect(await isProven(scope)).toBe(false)
  })

  test('is used by one of two concurrent calls', async () => {
    const { scope } = await newLinkUser()
    succeeded(await sendChangeCode.run(scope, { change }))
    const input = { change, code: await readCode() } as const
    const both = await Promise.all([
      proveWithMailCode.run(scope, input),
      proveWithMailCode.run(scope, input),
    ])
    expect(both.filter(isActionError)).toHaveLength(1)
  })

  test('expires after ten minutes, and the sweep deletes it', async () => {
    const { scope } = await newLinkUser()
    succeeded(await sendChangeCode.run(scope, { change }))
    const code = await readCode()
    await db.database.update(mailCodes).set({ expiresAt: sql`now() - interval '1 second'` })
    expect(await proveWithMailCode.run(scope, { change, code })).toMatchObject({ code: 'invalid' })
    expect(await deleteExpiredMailCodes()).toBeGreaterThan(0)
    expect(await db.database.$count(mailCodes)).toBe(0)
  })

  test('is not sent to an email that the account has left, nor works after that', async () => {
    const { user, scope } = await newLinkUser()
    succeeded(await sendChangeCode.run(scope, { change }))
    const [queued] = await db.database.select().from(mailQueue)
    const code = await readCode()
    const left = { ...user, email: `left-${user.email}` }
    await db.database.update(users).set({ email: left.email }).where(eq(users.id, user.id))
    expect(queued && (await accountMail.confirm_change(queued))).toBeUndefined()
    const moved = { ...scope, session: { ...scope.session, user: left } }
    expect(await proveWithMailCode.run(moved, { change, code })).toMatchObject({ code: 'invalid' })
  })

  test('is limited by mailbox', async () => {
    const { scope } = await newLinkUser()
    const results = []
    for (let mails = 0; mails < 6; mails += 1) {
      results.push(await sendChangeCode.run(scope, { change }))
    }
    expect(results.filter(isActionError)).toMatchObject([{ code: 'rate_limited' }])
  })
})

test('proofs and sessions end together', async () => {
  const scope = await signedInScope(db.database, 'editor@example.com')
  const input = { change, currentPassword: demoPassword } as const
  succeeded(await proveWithPassword.run(scope, input))
  await db.database.delete(users).where(eq(users.email, 'editor@example.com'))
  expect(
    await db.database.$count(changeProofs, sql`session_id not in (select id from sessions)`),
  ).toBe(0)
})
