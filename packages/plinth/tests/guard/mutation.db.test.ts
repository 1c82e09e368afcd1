import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createDemoAccounts } from '#auth/accounts/users'
import { auditEvents, sessions, users } from '#db/schema'
import { mutation } from '#guard/mutation'
import { isAdmin, isEditor, type SignedInScope } from '#guard/policy'
import { testDatabase } from '#testing/database/database'
import { lastEvent, snapshotDatabase, userIdOf } from '#testing/database/database-rows'
import { signedInScope } from '#testing/scope'
import { refuse } from '#universal/action-result'

const db = testDatabase()

let editor: SignedInScope
beforeEach(async () => {
  await createDemoAccounts(db.database)
  editor = await signedInScope(db.database, 'editor@example.com')
})

const declaration = {
  name: 'rename',
  authorize: isEditor,
  rateLimit: { times: 100, seconds: 60 },
  input: z.object({ name: z.string() }),
  target: () => 'thing',
}

function renameThen<Result>(finish: (scope: SignedInScope) => Result) {
  return mutation(declaration, async ({ tx, scope, input }) => {
    await tx.update(users).set(input).where(eq(users.id, scope.session.user.id))
    return finish(scope)
  })
}

const rename = renameThen(() => ({ renamed: true }))
const input = { name: 'Renamed' }

test('runs with the current session and writes the audit event', async () => {
  const detailed = mutation(
    { ...declaration, details: ({ input }) => ({ letters: input.name.length }) },
    async ({ scope }) => scope.session.user.role,
  )
  expect(await detailed.run(editor, input)).toBe('editor')
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'rename',
    outcome: 'success',
    actorId: editor.session.user.id,
    targetId: 'thing',
    details: { letters: 7 },
  })
})

test('has one new id for the row and for the audit event', async () => {
  const create = mutation(
    { ...declaration, target: ({ newId }) => newId },
    async ({ newId }) => newId,
  )
  const [first, second] = [await create.run(editor, input), await create.run(editor, input)]
  expect(first).not.toBe(second)
  expect(await lastEvent(db.database)).toMatchObject({ targetId: second })
})

test('rolls back and audits an error that is returned', async () => {
  const before = await snapshotDatabase(db.database)
  const conflicting = renameThen(() => refuse('conflict'))
  expect(await conflicting.run(editor, input)).toEqual(refuse('conflict'))
  expect(await snapshotDatabase(db.database)).toBe(before)
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'rename',
    outcome: 'failure',
    details: { reason: 'conflict' },
  })
})

test('rolls back and rethrows an exception', async () => {
  const before = await snapshotDatabase(db.database)
  const failing = renameThen(() => {
    throw new Error('failed')
  })
  await expect(failing.run(editor, input)).rejects.toThrow('failed')
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
  expect(await rename.run(editor, input)).toMatchObject({ ok: false, code })
  expect(await snapshotDatabase(db.database)).toBe(before)
  expect(await lastEvent(db.database)).toMatchObject({ action: 'rename', outcome: 'denied' })
  await db.database.update(users).set({ role: 'editor' }).where(eq(users.id, id))
})

test('rejects a caller that the policy does not allow before it prepares', async () => {
  const viewer = await signedInScope(db.database, 'viewer@example.com')
  let prepared = false
  const slow = mutation(
    {
      ...declaration,
      prepare: () => {
        prepared = true
      },
    },
    async () => undefined,
  )
  expect(await slow.run(viewer, input)).toMatchObject({ code: 'forbidden' })
  expect(prepared).toBe(false)
  expect(await lastEvent(db.database)).toMatchObject({ action: 'rename', outcome: 'denied' })
})

test('prepares before the transaction, and an error of it opens none', async () => {
  const hashing = mutation(
    { ...declaration, prepare: async ({ input }) => input.name.toUpperCase() },
    async ({ prepared }) => prepared,
  )
  expect(await hashing.run(editor, input)).toBe('RENAMED')
  const refusing = mutation(
    { ...declaration, prepare: () => refuse('invalid') },
    async () => undefined,
  )
  const events = await db.database.$count(auditEvents)
  expect(await refusing.run(editor, input)).toEqual(refuse('invalid'))
  expect(await db.database.$count(auditEvents)).toBe(events)
})

test('rejects the demotion of the last admin with a message', async () => {
  const admin = await signedInScope(db.database, 'admin@example.com')
  const id = await userIdOf(db.database, 'admin@example.com')
  const demote = mutation({ ...declaration, name: 'demote', authorize: isAdmin }, async ({ tx }) =>
    tx.update(users).set({ role: 'viewer' }).where(eq(users.id, id)),
  )
  const rejected = await demote.run(admin, input)
  expect(rejected).toMatchObject({ ok: false, code: 'conflict' })
  expect(JSON.stringify(rejected)).toContain('The last admin')
})
