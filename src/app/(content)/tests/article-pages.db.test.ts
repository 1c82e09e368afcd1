import { inArray } from 'drizzle-orm'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import type { SignedInScope } from 'plinth/guard/policy'
import { signedInScope, testDatabase } from 'plinth/testing'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { cursorField, encodeCursor } from '../cursor'
import { listArticles } from '../data'
import { articles } from '../schema'

const db = testDatabase()

const scopes: Record<string, SignedInScope> = {}

beforeAll(async () => {
  await createDemoAccounts(db.database)
  for (const role of ['viewer', 'editor']) {
    scopes[role] = await signedInScope(db.database, `${role}@example.com`)
  }
})

/** All share one time, so that only the id distinguishes them. */
const at = new Date('2026-01-01T00:00:00.000Z')

beforeEach(async () => {
  await db.database.delete(articles)
  await insert(55, at)
})

async function insert(count: number, at: Date) {
  const rows = Array.from({ length: count }, (_, index) => ({
    title: `Article ${index}`,
    body: '',
    publishedAt: at,
    updatedAt: at,
  }))
  await db.database.insert(articles).values(rows)
}

type Page = Awaited<ReturnType<typeof listArticles>>

const ids = (page: Page) => page.articles.map(({ id }) => id)

async function read(role: string, cursor?: Page['next']) {
  const scope = scopes[role]
  if (!scope) throw new Error(`No scope for ${role}.`)
  // As the URL carries it.
  return listArticles(scope, cursor && cursorField.parse(encodeCursor(cursor)))
}

test.each(['viewer', 'editor'])('a %s pages forward and back to the first page', async (role) => {
  const first = await read(role)
  const second = await read(role, first.next)
  const third = await read(role, second.next)
  expect([first, second, third].map((page) => page.articles.length)).toEqual([20, 20, 15])
  expect(third.next).toBeUndefined()
  const back = await read(role, third.previous)
  expect(ids(back)).toEqual(ids(second))
  const start = await read(role, back.previous)
  expect(ids(start)).toEqual(ids(first))
  expect(start.previous).toBeUndefined()
})

test('new articles are on the page before the first one read', async () => {
  const first = await read('editor')
  const second = await read('editor', first.next)
  await insert(3, new Date(at.getTime() + 1000))
  const back = await read('editor', second.previous)
  expect(ids(back)).toEqual(ids(first))
  const start = await read('editor', back.previous)
  expect(ids(start).slice(3)).toEqual(ids(first).slice(0, 17))
  expect(start.previous).toBeUndefined()
})

test('a page whose articles were deleted leads to the last page', async () => {
  const first = await read('viewer')
  const second = await read('viewer', first.next)
  const third = await read('viewer', second.next)
  await db.database.delete(articles).where(inArray(articles.id, ids(third)))
  const last = await read('viewer', second.next)
  expect(ids(last)).toEqual(ids(second))
  expect(last.next).toBeUndefined()
})
