import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import type { Database } from '@/core/db/client'
import { sessions, users } from '@/core/db/schema'
import { refuse } from '@/core/guard/action-result'
import { change } from '@/core/guard/change'
import { isAdmin, isEditor, type SignedInScope } from '@/core/guard/policy'
import { testDatabase } from '../support/database'
import { everythingIn } from '../support/everything'
import { signedInAs } from '../support/signed-in-as'
import { idOf, lastEvent } from '../support/stored'

const db = testDatabase()

let editor: SignedInScope
beforeEach(async () => {
  await createDemoAccounts(db.database)
  editor = await signedInAs(db.database, 'editor@example.com')
})

const plan = { name: 'rename', who: isEditor, target: 'thing' }

const rename = (transaction: Database, scope: SignedInScope) =>
  transaction.update(users).set({ name: 'Renamed' }).where(eq(users.id, scope.session.user.id))

test('does the work and writes the event, with the scope as it is now', async () => {
  const done = await change(editor, { ...plan, details: { of: 'test' } }, async (...given) => {
    await rename(...given)
    return given[1].session.user.role
  })
  expect(done).toBe('editor')
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'rename',
    outcome: 'success',
    actorId: editor.session.user.id,
    targetId: 'thing',
    details: { of: 'test' },
  })
})

test('a refusal of the work undoes all of it and is in the trail', async () => {
  const before = await everythingIn(db.database)
  const refused = await change(editor, plan, async (...given) => {
    await rename(...given)
    return refuse('conflict')
  })
  expect(refused).toEqual(refuse('conflict'))
  expect(await everythingIn(db.database)).toBe(before)
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'rename',
    outcome: 'failure',
    details: { reason: 'conflict' },
  })
})

test('what is thrown undoes all of it and goes on', async () => {
  const before = await everythingIn(db.database)
  const failing = change(editor, plan, async (...given) => {
    await rename(...given)
    throw new Error('a fault')
  })
  await expect(failing).rejects.toThrow('a fault')
  expect(await everythingIn(db.database)).toBe(before)
})

test.each([
  ['whose role changed meanwhile', 'forbidden', { role: 'viewer' as const }],
  ['whose session ended meanwhile', 'unauthenticated', undefined],
])('somebody %s is refused, and nothing is done', async (_, code, changed) => {
  const { id } = editor.session.user
  if (changed) await db.database.update(users).set(changed).where(eq(users.id, id))
  else await db.database.delete(sessions).where(eq(sessions.userId, id))
  const before = await everythingIn(db.database)
  expect(await change(editor, plan, rename)).toMatchObject({ ok: false, code })
  expect(await everythingIn(db.database)).toBe(before)
  expect(await lastEvent(db.database)).toMatchObject({ action: 'rename', outcome: 'denied' })
  await db.database.update(users).set({ role: 'editor' }).where(eq(users.id, id))
})

test('the last admin stays one, and that is said', async () => {
  const admin = await signedInAs(db.database, 'admin@example.com')
  const target = await idOf(db.database, 'admin@example.com')
  const refused = await change(admin, { name: 'demote', who: isAdmin, target }, (transaction) =>
    transaction.update(users).set({ role: 'viewer' }).where(eq(users.id, target)),
  )
  expect(refused).toMatchObject({ ok: false, code: 'conflict' })
  expect(JSON.stringify(refused)).toContain('The last admin')
})
