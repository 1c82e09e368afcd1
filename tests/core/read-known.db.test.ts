import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { readKnown } from '@/core/auth/authority/read-known'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { createSession, type NewSession } from '@/core/auth/sessions'
import { keyOf, newToken } from '@/core/auth/token'
import { type Connection, holdConnection } from '@/core/db/client'
import { sessions, users } from '@/core/db/schema'
import { testDatabase } from '../support/database'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))
afterEach(() => holdConnection(db.connection))

async function signIn(email: string): Promise<NewSession> {
  const { id, name, role } = users
  const [user] = await db.database
    .select({ id, email: users.email, name, role })
    .from(users)
    .where(eq(users.email, email))
  if (!user) throw new Error(`There is no ${email}.`)
  return createSession(db.database, user, { address: '127.0.0.1', userAgent: 'test' })
}

/** Counts the questions that the database is asked, and asks them. */
function countQuestions(ask: Connection['ask'] = db.connection.ask): () => number {
  let count = 0
  holdConnection({
    ...db.connection,
    ask(...question) {
      count += 1
      return ask(...question)
    },
  })
  return () => count
}

test('whoever asks in one turn is answered by one question, each with their own', async () => {
  const viewer = await signIn('viewer@example.com')
  const editor = await signIn('editor@example.com')
  const ended = await signIn('admin@example.com')
  const expiresAt = new Date(Date.now() - 1)
  await db.database.update(sessions).set({ expiresAt }).where(eq(sessions.id, ended.session.id))
  const questions = countQuestions()
  const tokens = [viewer.token, newToken(), editor.token, ended.token, viewer.token]
  const known = await Promise.all(tokens.map((token) => readKnown(keyOf(token))))
  expect(known.map((one) => one?.session)).toEqual([
    viewer.session,
    undefined,
    editor.session,
    undefined,
    viewer.session,
  ])
  expect(questions()).toBe(1)
})

test('what is asked later is another question, with an answer of its own time', async () => {
  const { token, session } = await signIn('viewer@example.com')
  const questions = countQuestions()
  const before = await readKnown(keyOf(token))
  await db.database.delete(sessions).where(eq(sessions.id, session.id))
  expect([before?.id, await readKnown(keyOf(token))]).toEqual([session.id, undefined])
  expect(questions()).toBe(2)
})

test('a crowd is asked for in parts', async () => {
  const { token, session } = await signIn('viewer@example.com')
  const crowd = [...Array.from({ length: 240 }, newToken), token]
  const questions = countQuestions()
  const known = await Promise.all(crowd.map((one) => readKnown(keyOf(one))))
  expect(known.filter(Boolean).map((one) => one?.id)).toEqual([session.id])
  expect(questions()).toBe(3)
})

test('a fault is told to everybody who waits, and to nobody after them', async () => {
  const { token, session } = await signIn('viewer@example.com')
  countQuestions(() => Promise.reject(new Error('gone')))
  const asked = await Promise.allSettled([token, newToken()].map((one) => readKnown(keyOf(one))))
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  holdConnection(db.connection)
  expect((await readKnown(keyOf(token)))?.id).toBe(session.id)
})
