import { eq } from 'drizzle-orm'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import { users } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
import { exportedData, lastEvent, signedInScope, testDatabase } from 'plinth/testing'
import { isActionError } from 'plinth/universal/action-result'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  createArticle,
  deleteArticle,
  publishArticle,
  saveArticle,
  unpublishArticle,
} from '../actions'
import { exportArticles, findArticle, listArticles } from '../data'
import { articles } from '../schema'

const db = testDatabase()

let viewer: SignedInScope
let editor: SignedInScope
let admin: SignedInScope

beforeAll(async () => {
  await createDemoAccounts(db.database)
  viewer = await signedInScope(db.database, 'viewer@example.com')
  editor = await signedInScope(db.database, 'editor@example.com')
  admin = await signedInScope(db.database, 'admin@example.com')
})

async function newDraft(title = 'A title') {
  const created = await createArticle.run(editor, { title, body: 'One' })
  if (isActionError(created)) throw new Error(created.message)
  return created.id
}

describe('an article', () => {
  test('is visible to writers only until it is published', async () => {
    const id = await newDraft()
    expect(await findArticle(viewer, id)).toBeUndefined()
    expect(await findArticle(editor, id)).toMatchObject({ body: 'One', version: 1 })
    await publishArticle.run(editor, { id })
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'publish_article',
      outcome: 'success',
      targetId: id,
      actorId: editor.session.user.id,
    })
    expect(await findArticle(viewer, id)).toMatchObject({ author: 'Demo Editor' })
    await unpublishArticle.run(editor, { id })
    expect(await findArticle(viewer, id)).toBeUndefined()
  })

  test('gets its date of publication back if unpublishing it is undone, and only then', async () => {
    const id = await newDraft()
    const publishedAt = new Date('2026-01-01T00:00:00.000Z')
    await db.database.update(articles).set({ publishedAt }).where(eq(articles.id, id))
    await unpublishArticle.run(editor, { id })
    await unpublishArticle.run(editor, { id })
    await publishArticle.run(editor, { id, restore: true })
    expect(await findArticle(viewer, id)).toMatchObject({ publishedAt })
    await unpublishArticle.run(editor, { id })
    await publishArticle.run(editor, { id })
    const published = await findArticle(viewer, id)
    expect(published?.publishedAt?.getTime()).toBeGreaterThan(publishedAt.getTime())
  })

  test('is not overwritten if another user saved it first, and the error has the stored text', async () => {
    const id = await newDraft()
    await saveArticle.run(admin, { id, version: 1, title: 'Stored', body: 'Two' })
    const conflict = await saveArticle.run(editor, { id, version: 1, title: 'Mine', body: 'Three' })
    expect(conflict).toMatchObject({
      code: 'conflict',
      stored: { title: 'Stored', body: 'Two', version: '2' },
    })
    expect(await findArticle(editor, id)).toMatchObject({ title: 'Stored', version: 2 })
    await saveArticle.run(editor, { id, version: 2, title: 'Both', body: 'Two and three' })
    expect(await findArticle(editor, id)).toMatchObject({ title: 'Both', version: 3 })
  })

  test('accepts one of twenty concurrent saves', async () => {
    const id = await newDraft()
    const saves = Array.from({ length: 20 }, (_, index) =>
      saveArticle.run(editor, { id, version: 1, title: `Try ${index}`, body: '' }),
    )
    const rejected = (await Promise.all(saves)).filter(isActionError)
    expect(rejected).toHaveLength(19)
    expect(await findArticle(editor, id)).toMatchObject({ version: 2 })
  })

  test('rejects changes after its deletion', async () => {
    const id = await newDraft()
    expect(await deleteArticle.run(admin, { id })).toEqual({ id })
    const late = { id, version: 1, title: 'Late', body: '' }
    for (const result of [
      await saveArticle.run(editor, late),
      await publishArticle.run(editor, { id }),
      await deleteArticle.run(admin, { id }),
    ]) {
      expect(result).toMatchObject({ ok: false, code: 'conflict' })
    }
  })

  test('remains when its author is deleted', async () => {
    await db.database
      .insert(users)
      .values({ email: 'deleted@example.com', name: 'Deleted', role: 'editor' })
    const author = await signedInScope(db.database, 'deleted@example.com')
    const created = await createArticle.run(author, { title: 'Remains', body: '' })
    if (isActionError(created)) throw new Error(created.message)
    await db.database.delete(users).where(eq(users.email, 'deleted@example.com'))
    expect(await findArticle(editor, created.id)).toMatchObject({ author: undefined })
  })
})

test('exports the articles and drafts of the user only', async () => {
  await db.database.delete(articles)
  const id = await newDraft('Mine')
  await createArticle.run(admin, { title: 'Other', body: '' })
  expect(await exportedData(exportArticles(editor))).toEqual({
    articles: [expect.objectContaining({ id, title: 'Mine', body: 'One', publishedAt: null })],
  })
  await db.database.insert(articles).values(
    Array.from({ length: 1500 }, () => ({
      title: 'x',
      body: '',
      authorId: editor.session.user.id,
    })),
  )
  expect(await exportedData(exportArticles(editor))).toMatchObject({
    articles: { length: 1501 },
  })
})

test('checks the current role inside the mutation', async () => {
  const before = await db.database.$count(articles)
  const outdated = { ...viewer, session: { ...viewer.session } }
  outdated.session.user = { ...viewer.session.user, role: 'editor' }
  expect(await createArticle.run(outdated, { title: 'No', body: '' })).toMatchObject({
    code: 'forbidden',
  })
  expect(await db.database.$count(articles)).toBe(before)
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'create_article',
    outcome: 'denied',
  })
})

test('pages through all articles without gaps or repetitions', async () => {
  await db.database.delete(articles)
  const at = new Date()
  // All share one time, so that only the id distinguishes them.
  const rows = Array.from({ length: 45 }, (_, index) => ({
    title: `Article ${index}`,
    body: '',
    publishedAt: index % 3 === 0 ? null : at,
    updatedAt: at,
  }))
  await db.database.insert(articles).values(rows)
  const all = async (scope: SignedInScope) => {
    const seen: string[] = []
    let page = await listArticles(scope)
    for (;;) {
      seen.push(...page.articles.map(({ id }) => id))
      if (!page.next) return seen
      page = await listArticles(scope, page.next)
    }
  }
  expect(new Set(await all(editor)).size).toBe(45)
  expect(await all(viewer)).toHaveLength(30)
})
