import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { installRevocationListeners } from '#auth/sessions/revocation'
import { revokeUserSessions } from '#auth/sessions/session'
import { sessions } from '#db/schema'
import { testDatabase } from '#testing/database/database'
import { signedInScope } from '#testing/scope'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

afterEach(() => installRevocationListeners([]))

const signIn = () => signedInScope(db.database, 'viewer@example.com')

test('all sessions of a user, or all but one, end with what modules keep of them', async () => {
  const onRevoke = vi.fn(async () => {})
  installRevocationListeners([{ onRevoke }, {}])
  const { session } = await signIn()
  const other = await signedInScope(db.database, 'editor@example.com')
  await signIn()
  await db.database.transaction(async (transaction) => {
    expect(await revokeUserSessions(transaction, session.user.id, session.id)).toBe(1)
    expect(onRevoke).toHaveBeenLastCalledWith(transaction, session.user.id)
    expect(await revokeUserSessions(transaction, session.user.id)).toBe(1)
  })
  expect(onRevoke).toHaveBeenCalledTimes(2)
  const left = await db.database.select({ id: sessions.id }).from(sessions)
  expect(left).toEqual([{ id: other.session.id }])
})

test('no session ends if a module fails', async () => {
  installRevocationListeners([{ onRevoke: () => Promise.reject(new Error('cannot')) }])
  const { session } = await signIn()
  const before = await db.database.$count(sessions)
  const revoked = db.database.transaction((transaction) =>
    revokeUserSessions(transaction, session.user.id),
  )
  await expect(revoked).rejects.toThrow('cannot')
  expect(await db.database.$count(sessions)).toBe(before)
})
