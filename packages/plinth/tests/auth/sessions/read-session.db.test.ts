import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { cacheKey, newToken } from '#auth/sessions/cookie'
import { readSession } from '#auth/sessions/read'
import { createSession, type NewSession } from '#auth/sessions/session'
import { type Connection, setConnection } from '#db/client'
import { sessions, users } from '#db/schema'
import { testDatabase } from '#testing/database/database'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))
afterEach(() => setConnection(db.connection))

async function signIn(email: string): Promise<NewSession> {
  const { id, name, role } = users
  const [user] = await db.database
    .select({ id, email: users.email, name, role })
    .from(users)
    .where(eq(users.email, email))
  if (!user) throw new Error(`No user has the email ${email}.`)
  return createSession(
    db.database,
    user,
    { ip: '127.0.0.1', userAgent: 'test' },
    { by: 'password' },
  )
}

const read = (token: string) => readSession(cacheKey(token))

/** Replaces the connection by one that counts the pipelined queries. */
function countQueries(
  query: Connection['queryPipelined'] = db.connection.queryPipelined,
): () => number {
  let count = 0
  setConnection({
    ...db.connection,
    queryPipelined(...args) {
      count += 1
      return query(...args)
    },
  })
  return () => count
}

test('reads all sessions of one turn of the event loop with one query', async () => {
  const viewer = await signIn('viewer@example.com')
  const editor = await signIn('editor@example.com')
  const expired = await signIn('admin@example.com')
  const expiresAt = new Date(Date.now() - 1)
  await db.database.update(sessions).set({ expiresAt }).where(eq(sessions.id, expired.session.id))
  const queries = countQueries()
  const tokens = [viewer.token, newToken(), editor.token, expired.token, viewer.token]
  const found = await Promise.all(tokens.map(read))
  expect(found.map((cached) => cached?.session)).toEqual([
    viewer.session,
    undefined,
    editor.session,
    undefined,
    viewer.session,
  ])
  expect(queries()).toBe(1)
})

test('queries again in a later turn and sees the change', async () => {
  const { token, session } = await signIn('viewer@example.com')
  const queries = countQueries()
  const before = await read(token)
  await db.database.delete(sessions).where(eq(sessions.id, session.id))
  expect([before?.session.id, await read(token)]).toEqual([session.id, undefined])
  expect(queries()).toBe(2)
})

test('splits a large batch into several queries', async () => {
  const { token, session } = await signIn('viewer@example.com')
  const tokens = [...Array.from({ length: 240 }, newToken), token]
  const queries = countQueries()
  const found = await Promise.all(tokens.map(read))
  expect(found.filter(Boolean).map((cached) => cached?.session.id)).toEqual([session.id])
  expect(queries()).toBe(3)
})

test('rejects every waiting caller when the query fails, and no later one', async () => {
  const { token, session } = await signIn('viewer@example.com')
  countQueries(() => Promise.reject(new Error('connection lost')))
  const results = await Promise.allSettled([token, newToken()].map(read))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  setConnection(db.connection)
  expect((await read(token))?.session.id).toBe(session.id)
})
