import { listTests } from './list.mjs'
import { sampleSource } from './samples.mjs'

export function behaviorTestSource(model) {
  const { many, one, shared, title } = model
  const scoped = (scope) => (shared ? '' : `${scope}, `)
  return `import { exportedData, lastEvent, signedInScope, testDatabase } from 'plinth/testing'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import { users } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
import { isActionError } from 'plinth/universal/action-result'
import { create${one.pascal}, delete${one.pascal}, save${one.pascal} } from '../actions'
import { export${many.pascal}, find${one.pascal}, list${many.pascal} } from '../data'
import { ${one.camel}Fields } from '../fields'
import { ${many.camel}Query } from '../query'
import { ${many.camel} } from '../schema'

const db = testDatabase()

const sample = ${sampleSource(model)}

const input = (changes = {}) => z.object(${one.camel}Fields).parse({ ...sample, ...changes })

let viewer: SignedInScope
let editor: SignedInScope
let admin: SignedInScope

beforeAll(async () => {
  await createDemoAccounts(db.database)
  viewer = await signedInScope(db.database, 'viewer@example.com')
  editor = await signedInScope(db.database, 'editor@example.com')
  admin = await signedInScope(db.database, 'admin@example.com')
})

beforeEach(() => db.database.delete(${many.camel}))

async function new${one.pascal}(changes = {}, scope = editor) {
  const created = await create${one.pascal}.run(scope, input(changes))
  if (isActionError(created)) throw new Error(created.message)
  return created.id
}

test('is created, changed and deleted, and each change is audited', async () => {
  const id = await new${one.pascal}()
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'create_${one.snake}',
    outcome: 'success',
    targetId: id,
    actorId: editor.session.user.id,
  })
  expect(await find${one.pascal}(${scoped('editor')}id)).toMatchObject({ ${title.property}: input().${title.property}, version: 1 })
  expect(await save${one.pascal}.run(editor, { id, version: 1, ...input() })).toEqual({ id })
  expect(await find${one.pascal}(${scoped('editor')}id)).toMatchObject({ version: 2 })
  expect(await delete${one.pascal}.run(${shared ? 'admin' : 'editor'}, { id })).toEqual({ id })
  expect(await lastEvent(db.database)).toMatchObject({ action: 'delete_${one.snake}', targetId: id })
  expect(await find${one.pascal}(${scoped('editor')}id)).toBeUndefined()
})

test('is not overwritten by a save of an older version', async () => {
  const id = await new${one.pascal}()
  await save${one.pascal}.run(editor, { id, version: 1, ...input() })
  expect(await save${one.pascal}.run(editor, { id, version: 1, ...input() })).toMatchObject({
    code: 'conflict',
    stored: { version: '2' },
  })
  expect(await find${one.pascal}(${scoped('editor')}id)).toMatchObject({ version: 2 })
})

test('rejects changes after its deletion', async () => {
  const id = await new${one.pascal}()
  await delete${one.pascal}.run(${shared ? 'admin' : 'editor'}, { id })
  const results = [
    await save${one.pascal}.run(editor, { id, version: 1, ...input() }),
    await delete${one.pascal}.run(${shared ? 'admin' : 'editor'}, { id }),
  ]
  for (const result of results) expect(result).toMatchObject({ code: 'not_found' })
})

${shared ? sharedRules(model) : ownedRules(model)}
${listTests(model, scoped)}
test('exports the ${many.text} of the user only', async () => {
  const id = await new${one.pascal}()
  await new${one.pascal}({}, admin)
  expect(await exportedData(export${many.pascal}(editor))).toMatchObject({ ${many.camel}: [{ id }] })
})
`
}

function ownedRules({ many, one }) {
  return `test('belongs to its owner; an admin can read it', async () => {
  const id = await new${one.pascal}({}, viewer)
  expect(await find${one.pascal}(editor, id)).toBeUndefined()
  expect(await find${one.pascal}(admin, id)).toMatchObject({ id, owner: { id: viewer.session.user.id } })
  for (const other of [editor, admin]) {
    const results = [
      await save${one.pascal}.run(other, { id, version: 1, ...input() }),
      await delete${one.pascal}.run(other, { id }),
    ]
    for (const result of results) expect(result).toMatchObject({ code: 'not_found' })
  }
  expect(await find${one.pascal}(viewer, id)).toMatchObject({ version: 1 })
  const listed = async (scope: SignedInScope) =>
    (await list${many.pascal}(scope, ${many.camel}Query.parse({}))).${many.camel}.map((row) => row.id)
  expect([await listed(viewer), await listed(editor), await listed(admin)]).toEqual([[id], [], [id]])
})

test('is deleted with its owner', async () => {
  await db.database.insert(users).values({ email: 'leaving@example.com', name: 'Leaving' })
  const id = await new${one.pascal}({}, await signedInScope(db.database, 'leaving@example.com'))
  await db.database.delete(users).where(eq(users.email, 'leaving@example.com'))
  expect(await db.database.$count(${many.camel}, eq(${many.camel}.id, id))).toBe(0)
})
`
}

function sharedRules({ one }) {
  return `test('is written by editors and deleted by admins', async () => {
  const id = await new${one.pascal}()
  const results = [
    await create${one.pascal}.run(viewer, input()),
    await save${one.pascal}.run(viewer, { id, version: 1, ...input() }),
    await delete${one.pascal}.run(editor, { id }),
  ]
  for (const result of results) expect(result).toMatchObject({ code: 'forbidden' })
  expect(await find${one.pascal}(id)).toMatchObject({ version: 1 })
})

test('remains when its author is deleted', async () => {
  await db.database
    .insert(users)
    .values({ email: 'leaving@example.com', name: 'Leaving', role: 'editor' })
  const id = await new${one.pascal}({}, await signedInScope(db.database, 'leaving@example.com'))
  await db.database.delete(users).where(eq(users.email, 'leaving@example.com'))
  expect(await find${one.pascal}(id)).toMatchObject({ id, author: null })
})
`
}
