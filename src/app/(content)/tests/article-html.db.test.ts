import { eq, sql } from 'drizzle-orm'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import type { SignedInScope } from 'plinth/guard/policy'
import { signedInScope, testDatabase } from 'plinth/testing'
import { isActionError } from 'plinth/universal/action-result'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createArticle, saveArticle } from '../actions'
import { findArticle } from '../data'
import { rendererVersion } from '../markdown/render'
import { articles } from '../schema'

const db = testDatabase()

let editor: SignedInScope

beforeAll(async () => {
  await createDemoAccounts(db.database)
  editor = await signedInScope(db.database, 'editor@example.com')
})

afterEach(() => vi.restoreAllMocks())

const tooComplex = '!['.repeat(25_000)

async function newArticle(body: string): Promise<string> {
  const created = await createArticle.run(editor, { title: 'A title', body })
  if (isActionError(created)) throw new Error(created.message)
  return created.id
}

async function insert(values: Partial<typeof articles.$inferInsert>): Promise<string> {
  const [row] = await db.database
    .insert(articles)
    .values({ title: 'A title', body: '', ...values })
    .returning({ id: articles.id })
  return row?.id ?? ''
}

async function stored(id: string) {
  const [row] = await db.database.select().from(articles).where(eq(articles.id, id))
  return row
}

function countQueries() {
  const reads = vi.spyOn(db.database, 'select')
  const writes = vi.spyOn(db.database, 'update')
  return () => [reads.mock.calls.length, writes.mock.calls.length]
}

describe('an article that is saved', () => {
  test('is stored as HTML, and reading it is one query', async () => {
    const id = await newArticle('*One*')
    expect(await stored(id)).toMatchObject({
      html: '<p dir="auto"><em>One</em></p>\n',
      rendererVersion,
    })
    const queries = countQueries()
    expect(await findArticle(editor, id)).toMatchObject({
      html: '<p dir="auto"><em>One</em></p>\n',
    })
    expect(queries()).toEqual([1, 0])
  })

  test('replaces its HTML', async () => {
    const id = await newArticle('*One*')
    await saveArticle.run(editor, { id, version: 1, title: 'A title', body: '*Two*' })
    expect(await stored(id)).toMatchObject({
      html: '<p dir="auto"><em>Two</em></p>\n',
      rendererVersion,
    })
  })

  test('is rejected if it is too complex, and nothing changes', async () => {
    const id = await newArticle('*One*')
    const before = await db.database.select().from(articles).orderBy(articles.id)
    const input = { title: 'A title', body: tooComplex }
    for (const result of [
      await createArticle.run(editor, input),
      await saveArticle.run(editor, { ...input, id, version: 1 }),
    ]) {
      expect(result).toMatchObject({ code: 'invalid', errors: [{ field: 'body' }] })
    }
    expect(await db.database.select().from(articles).orderBy(articles.id)).toEqual(before)
  })
})

describe('HTML', () => {
  test('is rendered once for an article without it, or of an older renderer', async () => {
    for (const outdated of [{}, { html: 'old', rendererVersion: rendererVersion - 1 }]) {
      const id = await insert({ body: '*One*', ...outdated })
      const queries = countQueries()
      const read = Array.from({ length: 5 }, () => findArticle(editor, id))
      for (const article of await Promise.all(read)) {
        expect(article).toMatchObject({ html: '<p dir="auto"><em>One</em></p>\n' })
      }
      const [reads, writes] = queries()
      expect(reads).toBe(5)
      // A reader whose query overlaps the first write may write the same again.
      expect([1, 2]).toContain(writes)
      await findArticle(editor, id)
      expect(queries()).toEqual([6, writes])
      vi.restoreAllMocks()
      expect(await stored(id)).toMatchObject({
        html: '<p dir="auto"><em>One</em></p>\n',
        rendererVersion,
      })
    }
  })

  test('of a newer renderer stays: processes of two versions run during a deployment', async () => {
    const newer = { html: 'newer', rendererVersion: rendererVersion + 1 }
    const id = await insert({ body: '*One*', ...newer })
    expect(await findArticle(editor, id)).toMatchObject({ html: 'newer' })
    expect(await stored(id)).toMatchObject(newer)
  })

  test('is missing for a stored text that is too complex, which is tried once', async () => {
    const id = await insert({ body: tooComplex })
    expect(await findArticle(editor, id)).toMatchObject({ body: tooComplex, html: undefined })
    expect(await stored(id)).toMatchObject({ html: null, rendererVersion })
    const queries = countQueries()
    expect(await findArticle(editor, id)).toMatchObject({ html: undefined })
    expect(queries()).toEqual([1, 0])
  })

  test('is not kept when a writer changes the text alone', async () => {
    const id = await newArticle('*One*')
    await db.database.execute(
      sql`update articles set body = '*Two*', version = version + 1 where id = ${id}`,
    )
    expect(await findArticle(editor, id)).toMatchObject({
      html: '<p dir="auto"><em>Two</em></p>\n',
    })
  })
})
