import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { Change } from '#auth/accounts/change-proofs'
import type { NewSession } from '#auth/sessions/session'
import { users } from '#db/schema'
import type { SignedInScope } from '#guard/policy'
import { installModules } from '#modules/installed-modules'
import { testDatabase } from '#testing/database/database'
import { snapshotDatabase } from '#testing/database/database-rows'
import { deleteAccount } from '@/app/(account)/actions'
import { changePassword } from '@/app/(account)/password-actions'
import { proveWithPassword } from '@/app/(auth)/confirm/actions'
import { startAuthenticatorApp } from '@/app/(security)/actions'
import { proveWithApp, proveWithRecoveryCode } from '@/app/(security)/proof-actions'
import { addApp, newUser, nextCode, password, succeeded } from '@/app/(security)/tests/users'
import { modules } from '@/modules'

const db = testDatabase()

beforeAll(async () => {
  installModules(modules)
  await newUser(db.database, 'admin')
})

const change = 'delete_account'

const renewed = (scope: SignedInScope, { created }: { created: NewSession }) => ({
  ...scope,
  session: created.session,
})

async function givePassword(scope: SignedInScope, of: Change = change) {
  const input = { change: of, currentPassword: password }
  return renewed(scope, succeeded(await proveWithPassword.run(scope, input)))
}

const deletionOf = ({ email }: { email: string }) => ({
  confirmation: email,
  currentPassword: password,
})

const exists = async (id: string) => (await db.database.$count(users, eq(users.id, id))) === 1

test('the password deletes an account without a factor', async () => {
  const { id, scope, email } = await newUser(db.database)
  expect(await deleteAccount.run(scope, deletionOf({ email }))).toEqual({ deleted: true })
  expect(await exists(id)).toBe(false)
})

test('the password does not delete an account with a factor', async () => {
  const { id, scope, email } = await newUser(db.database)
  await addApp(db.database, scope)
  const required = { code: 'proof_required', change }
  const before = await snapshotDatabase(db.database)
  expect(await deleteAccount.run(scope, deletionOf({ email }))).toMatchObject(required)
  expect(await snapshotDatabase(db.database)).toBe(before)
  const proven = await givePassword(scope)
  expect(await deleteAccount.run(proven, deletionOf({ email }))).toMatchObject(required)
  expect(await exists(id)).toBe(true)
})

test('a proof to add a factor does not delete the account', async () => {
  const { id, scope, email } = await newUser(db.database)
  const { secret } = await addApp(db.database, scope)
  const input = { change: 'add_factor', code: nextCode(secret) } as const
  const proven = renewed(scope, succeeded(await proveWithApp.run(scope, input)))
  const deletion = deletionOf({ email })
  expect(await deleteAccount.run(proven, deletion)).toMatchObject({
    code: 'proof_required',
    change,
  })
  expect(await exists(id)).toBe(true)
})

test('the app and the password delete an account with a factor', async () => {
  const { id, scope, email } = await newUser(db.database)
  const { secret } = await addApp(db.database, scope)
  const input = { change, code: nextCode(secret) } as const
  const proven = renewed(scope, succeeded(await proveWithApp.run(scope, input)))
  const withoutPassword = { confirmation: email, currentPassword: undefined }
  expect(await deleteAccount.run(proven, withoutPassword)).toMatchObject({ code: 'invalid' })
  expect(await deleteAccount.run(proven, deletionOf({ email }))).toEqual({ deleted: true })
  expect(await exists(id)).toBe(false)
})

test('a recovery code with the password deletes it too, after a wrong email', async () => {
  const { id, scope, email } = await newUser(db.database)
  const { codes } = await addApp(db.database, scope)
  const first = await givePassword(scope)
  const input = { change, code: codes[0] ?? '' } as const
  const proven = renewed(first, succeeded(await proveWithRecoveryCode.run(first, input)))
  const wrong = deletionOf({ email: 'another@example.com' })
  expect(await deleteAccount.run(proven, wrong)).toMatchObject({ code: 'invalid' })
  expect(await deleteAccount.run(proven, deletionOf({ email }))).toEqual({ deleted: true })
  expect(await exists(id)).toBe(false)
})

test('a change of the password ends proofs', async () => {
  const { scope } = await newUser(db.database)
  const proven = await givePassword(scope, 'add_factor')
  const input = { currentPassword: password, newPassword: 'another few words in a row' }
  const { session } = succeeded(await changePassword.run(proven, input)) as NewSession
  const start = { purpose: 'set_up' } as const
  const ended = await startAuthenticatorApp.run(proven, start)
  expect(ended).toMatchObject({ code: 'unauthenticated' })
  const renewed = await startAuthenticatorApp.run({ ...proven, session }, start)
  expect(renewed).toMatchObject({ code: 'proof_required' })
})
