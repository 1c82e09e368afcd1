import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/accounts/demo-accounts'
import type { Database } from '@/core/db/client'
import { sessions, users } from '@/core/db/schema'
import { runMutation } from '@/core/guard/mutation'
import { isAdmin, isEditor, type SignedInScope } from '@/core/guard/policy'
import { refuse } from '@/core/ui/action-result'
import { testDatabase } from '../support/database'
import { lastEvent, userIdOf } from '../support/database-rows'
import { snapshotDatabase } from '../support/database-snapshot'
import { signedInScope } from '../support/signed-in-scope'

const db = testDatabase()

let editor: SignedInScope
beforeEach(async () => {
  await createDemoAccounts(db.database)
  editor = await signedInScope(db.database, 'editor@example.com')
})

const mutation = { name: 'rename', authorize: isEditor, target: 'thing' }

const rename = (transaction: Database, scope: SignedInScope) =>
  transaction.update(users).set({ name: 'Renamed' }).where(eq(users.id, scope.session.user.id))

test('runs the work with the current session and writes the audit event', async () => {
  const done = await runMutation(
    editor,
    { ...mutation, details: { reason: 'test' } },
    async (...args) => {
      await rename(...args)
      return args[1].session.user.role
    },
  )
  expect(done).toBe('editor')
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'rename',
    outcome: 'success',
    actorId: editor.session.user.id,
    targetId: 'thing',
    details: { reason: 'test' },
  })
})

test('rolls back and audits an error that the work returns', async () => {
  const before = await snapshotDatabase(db.database)
  const rejected = await runMutation(editor, mutation, async (...args) => {
    await rename(...args)
    return refuse('conflict')
  })
  expect(rejected).toEqual(refuse('conflict'))
  expect(await snapshotDatabase(db.database)).toBe(before)
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'rename',
    outcome: 'failure',
    details: { reason: 'conflict' },
  })
})

test('rolls back and rethrows an exception', async () => {
  const before = await snapshotDatabase(db.database)
  const failing = runMutation(editor, mutation, async (...args) => {
    await rename(...args)
    throw new Error('failed')
  })
  await expect(failing).rejects.toThrow('failed')
  expect(await snapshotDatabase(db.database)).toBe(before)
})

test.each([
  ['role changed', 'forbidden', { role: 'viewer' as const }],
  ['session was revoked', 'unauthenticated', undefined],
])('rejects a user whose %s in the meantime and changes nothing', async (_, code, changed) => {
  const { id } = editor.session.user
  if (changed) await db.database.update(users).set(changed).where(eq(users.id, id))
  else await db.database.delete(sessions).where(eq(sessions.userId, id))
  const before = await snapshotDatabase(db.database)
  expect(await runMutation(editor, mutation, rename)).toMatchObject({ ok: false, code })
  expect(await snapshotDatabase(db.database)).toBe(before)
  expect(await lastEvent(db.database)).toMatchObject({ action: 'rename', outcome: 'denied' })
  await db.database.update(users).set({ role: 'editor' }).where(eq(users.id, id))
})

test('rejects the demotion of the last admin with a message', async () => {
  const admin = await signedInScope(db.database, 'admin@example.com')
  const target = await userIdOf(db.database, 'admin@example.com')
  const rejected = await runMutation(
    admin,
    { name: 'demote', authorize: isAdmin, target },
    (transaction) => transaction.update(users).set({ role: 'viewer' }).where(eq(users.id, target)),
  )
  expect(rejected).toMatchObject({ ok: false, code: 'conflict' })
  expect(JSON.stringify(rejected)).toContain('The last admin')
})
