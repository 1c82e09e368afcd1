import { eq, sql } from 'drizzle-orm'
import { signInWithPassword } from 'plinth/auth/passwords/sign-in'
import { findSession } from 'plinth/auth/sessions/cache'
import { sessions, users } from 'plinth/db/schema'
import { giveAllProofs, repetitions, testDatabase } from 'plinth/testing'
import { isActionError } from 'plinth/universal/action-result'
import { beforeAll, expect, test } from 'vitest'
import { deleteAccount, revokeOtherSessions, unlinkAccount, updateProfile } from '../../actions'
import { listSessions } from '../../data/sessions'
import { changePassword } from '../../password-actions'
import { newUser, password, signIn } from '../users'

const db = testDatabase()

let permanentAdmin: Awaited<ReturnType<typeof newUser>>
beforeAll(async () => {
  permanentAdmin = await newUser(db.database, { role: 'admin' })
})

const codeOf = (result: unknown) => (isActionError(result) ? result.code : 'done')

test('one admin remains when the last two delete their accounts concurrently', async () => {
  for (let round = 0; round < repetitions(20); round += 1) {
    const pair = [
      await newUser(db.database, { role: 'admin', password: false }),
      await newUser(db.database, { role: 'admin', password: false }),
    ]
    for (const { scope } of pair) await giveAllProofs(db.database, scope, 'delete_account')
    const ids = pair.map(({ id }) => id)
    await db.database
      .update(users)
      .set({ role: 'viewer' })
      .where(sql`role = 'admin' and id not in ${ids}`)
    const results = await Promise.all(
      pair.map(({ scope, email }) =>
        deleteAccount.run(scope, { confirmation: email, currentPassword: undefined }),
      ),
    )
    expect(results.map(codeOf).sort()).toEqual(['conflict', 'done'])
    expect(await db.database.$count(users, eq(users.role, 'admin'))).toBe(1)
  }
  await db.database.update(users).set({ role: 'admin' }).where(eq(users.id, permanentAdmin.id))
})

test('deletes an account completely during concurrent changes to it', async () => {
  for (let round = 0; round < repetitions(10); round += 1) {
    const viewer = await newUser(db.database, { providers: ['provider-a', 'provider-b'] })
    const { scope, email, id } = viewer
    const second = await signIn(db.database, viewer.user)
    const results = await Promise.all([
      updateProfile.run(scope, { name: 'New' }),
      deleteAccount.run(scope, { confirmation: email, currentPassword: password }),
      signInWithPassword({ ...scope, session: undefined }, { email, password }),
      revokeOtherSessions.run(second.scope, {}),
      unlinkAccount.run(second.scope, { provider: 'provider-a' }),
      deleteAccount.run(second.scope, { confirmation: email, currentPassword: password }),
    ])
    const allowed = ['done', 'unauthenticated']
    for (const result of results) expect(allowed).toContain(codeOf(result))
    // Each call may revoke the session of the other, but never its own.
    expect(await db.database.$count(users, eq(users.id, id))).toBe(0)
    expect(await db.database.$count(sessions, eq(sessions.userId, id))).toBe(0)
  }
})

test('one of two concurrent password changes succeeds and revokes the other session', async () => {
  for (let round = 0; round < repetitions(5); round += 1) {
    const viewer = await newUser(db.database)
    const devices = [viewer, await signIn(db.database, viewer.user)]
    const candidates = ['first new password', 'second new password']
    const results = await Promise.all(
      devices.map(({ scope }, index) =>
        changePassword.run(scope, {
          currentPassword: password,
          newPassword: candidates[index] ?? '',
        }),
      ),
    )
    expect(results.map(codeOf).sort()).toEqual(['done', 'unauthenticated'])
    const renewed = results.find((result) => typeof result === 'object' && 'token' in result)
    if (!renewed || typeof renewed !== 'object' || !('token' in renewed))
      throw new Error('No session was created.')
    const session = await findSession(renewed.token)
    if (!session) throw new Error('No session was created.')
    expect((await listSessions({ ...viewer.scope, session })).sessions).toHaveLength(1)
  }
})
