import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { startSession } from '#auth/passwords/start-session'
import { readSessionById } from '#auth/sessions/read'
import { afterCommit } from '#db/after-commit'
import { auditEvents, passwords, sessions } from '#db/schema'
import type { SessionUser } from '#http/scope'
import { testDatabase } from '#testing/database/database'
import { databaseRows } from '#testing/database/database-rows'
import { newScope } from '#testing/scope'

const db = testDatabase()
const { userOf, lastEvents } = databaseRows(db)

let user: SessionUser
let hash: string

beforeAll(async () => {
  await createDemoAccounts(db.database)
  const { id, email, name, role } = (await userOf('viewer@example.com')) ?? missing()
  user = { id, email, name, role }
  const [row] = await db.database.select().from(passwords).where(eq(passwords.userId, id))
  hash = row?.hash ?? ''
})

let commits: number

beforeEach(async () => {
  await db.database.delete(sessions)
  commits = 0
  afterCommit(async () => {
    commits += 1
  })
})

afterEach(() => afterCommit(undefined))

const counts = () => Promise.all([sessions, auditEvents].map((table) => db.database.$count(table)))

test('stores the session that it returns, and an audit event', async () => {
  const scope = { ...newScope(), userAgent: `Mozilla ${'x'.repeat(600)}` }
  const { session, token } = (await startSession(scope, user, hash)) ?? missing()
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(await readSessionById(db.database, session.id)).toEqual(session)
  const [row] = await db.database.select().from(sessions)
  expect(row).toMatchObject({ ip: scope.ip, userAgent: scope.userAgent.slice(0, 512) })
  expect(await lastEvents(1)).toMatchObject([
    {
      action: 'sign_in',
      outcome: 'success',
      actorId: user.id,
      targetId: user.id,
      ip: scope.ip,
      requestId: scope.requestId,
      details: { by: 'password' },
    },
  ])
})

test('the session cache catches up only if a session was ended', async () => {
  const first = (await startSession(newScope(), user, hash)) ?? missing()
  expect(commits).toBe(0)
  await startSession(newScope(first.session), user, hash)
  expect(commits).toBe(1)
  expect(await readSessionById(db.database, first.session.id)).toBeUndefined()
  for (let count = 2; count <= 50; count += 1) await startSession(newScope(), user, hash)
  expect(commits).toBe(1)
  await startSession(newScope(), user, hash)
  expect(commits).toBe(2)
})

test.each([
  ['a changed password', () => startSession(newScope(), user, hash.replace(/.$/, '-'))],
  ['a deleted user', () => startSession(newScope(), { ...user, id: crypto.randomUUID() }, hash)],
])('%s gets no session, and nothing is stored', async (_, start) => {
  const before = await counts()
  expect(await start()).toBeUndefined()
  expect(await counts()).toEqual(before)
})

test('without the audit event no session is stored or ended', async () => {
  const { session } = (await startSession(newScope(), user, hash)) ?? missing()
  const before = await counts()
  const scope = { ...newScope(session), requestId: 'rejected' }
  await db.database.execute(
    sql`alter table audit_events add constraint rejected check (request_id <> 'rejected')`,
  )
  await expect(startSession(scope, user, hash)).rejects.toThrow()
  await db.database.execute(sql`alter table audit_events drop constraint rejected`)
  expect(await counts()).toEqual(before)
  expect(await readSessionById(db.database, session.id)).toBeDefined()
})

function missing(): never {
  throw new Error('Not found.')
}
