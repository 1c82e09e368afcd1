import { sql } from 'drizzle-orm'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import type { SignedInScope } from 'plinth/guard/policy'
import { signedInScope, testDatabase } from 'plinth/testing'
import { beforeAll, expect, test } from 'vitest'
import { findArticle, listArticles } from '../data'
import { findTitles, latestArticles, ownDrafts } from '../data/home'
import { articles } from '../schema'

const db = testDatabase()

let viewer: SignedInScope
let editor: SignedInScope
const ids: Record<string, string> = {}

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))

beforeAll(async () => {
  await createDemoAccounts(db.database)
  viewer = await signedInScope(db.database, 'viewer@example.com')
  editor = await signedInScope(db.database, 'editor@example.com')
  const rows = [
    { title: 'Load of a plinth', body: 'It spreads **weight** over node.js.', publishedAt: at(1) },
    { title: '日本語の記事', body: 'Überschrift', publishedAt: at(2) },
    { title: '100% of it', body: "An editor's text", publishedAt: at(3) },
    { title: 'Secret load', body: 'draft', authorId: editor.session.user.id },
  ]
  for (const [index, row] of rows.entries()) {
    const [inserted] = await db.database
      .insert(articles)
      .values({ ...row, updatedAt: at(index) })
      .returning({ id: articles.id })
    ids[row.title] = inserted?.id ?? ''
  }
})

async function find(scope: SignedInScope, text: string): Promise<string[]> {
  return (await listArticles(scope, undefined, text)).articles.map(({ title }) => title)
}

test.each([
  ['WEIGHT', ['Load of a plinth']],
  ['weig load', ['Load of a plinth']],
  ['node.js', ['Load of a plinth']],
  ['weight missing', []],
  ['linth', ['Load of a plinth']],
  ['Übersch', ['日本語の記事']],
  ['記事', ['日本語の記事']],
  ['100%', ['100% of it']],
  ['%', ['100% of it']],
  ["editor's", ['100% of it']],
  ["' | 'load", ['Load of a plinth']],
  ['!', []],
  ['\\', []],
  ["':* & !x (", []],
])('a search for %s finds %j', async (text, titles) => {
  expect(await find(viewer, text)).toEqual(titles)
})

test('a search finds drafts for writers only', async () => {
  expect(await find(viewer, 'secret')).toEqual([])
  expect(await find(editor, 'secret')).toEqual(['Secret load'])
  expect(await findTitles(viewer, 'load')).toEqual([
    { href: `/articles/${ids['Load of a plinth']}`, label: 'Load of a plinth' },
  ])
  expect(await findTitles(editor, 'LOAD')).toEqual([
    { href: `/articles/${ids['Secret load']}`, label: 'Secret load', detail: 'Draft' },
    { href: `/articles/${ids['Load of a plinth']}`, label: 'Load of a plinth' },
  ])
})

test('an article leads to those published before and after it, and never to a draft', async () => {
  const neighbors = async (title: string) => {
    const article = await findArticle(viewer, ids[title] ?? '')
    return [article?.older?.title, article?.newer?.title]
  }
  expect(await neighbors('Load of a plinth')).toEqual([undefined, '日本語の記事'])
  expect(await neighbors('日本語の記事')).toEqual(['Load of a plinth', '100% of it'])
  expect(await neighbors('100% of it')).toEqual(['日本語の記事', undefined])
  const draft = await findArticle(editor, ids['Secret load'] ?? '')
  expect([draft?.older, draft?.newer]).toEqual([undefined, undefined])
})

test('the home page shows writers their drafts, and everyone the latest articles', async () => {
  expect(await ownDrafts(editor)).toMatchObject({ items: [{ label: 'Secret load' }] })
  expect(await ownDrafts(viewer)).toMatchObject({ text: 'You have no drafts.', items: [] })
  const latest = await latestArticles(viewer)
  expect(latest?.items?.map(({ label }) => label)).toEqual([
    '100% of it',
    '日本語の記事',
    'Load of a plinth',
  ])
})

test('both halves of a search have an index', async () => {
  const plan = async (condition: string) => {
    const rows = await db.database.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`)
      return tx.execute(sql.raw(`explain select id from articles where ${condition}`))
    })
    return JSON.stringify(rows)
  }
  expect(
    await plan(
      `to_tsvector('simple', translate(title || ' ' || body, '<>&/@:.-_', '         '))
         @@ to_tsquery('simple', '''load'':*')`,
    ),
  ).toContain('articles_words_index')
  expect(await plan("title ilike '%load%'")).toContain('articles_title_index')
})
