import { testDatabase } from '@tests/support/database'
import { signedInAs } from '@tests/support/signed-in-as'
import { lastEvent } from '@tests/support/stored'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { users } from '@/core/db/schema'
import { isRefusal } from '@/core/guard/action-result'
import type { SignedInScope } from '@/core/guard/policy'
import {
  createArticle,
  deleteArticle,
  findArticle,
  listArticles,
  ownArticles,
  saveArticle,
  setPublished,
} from '../data'
import { articles } from '../schema'

const db = testDatabase()

let viewer: SignedInScope
let editor: SignedInScope
let admin: SignedInScope

beforeAll(async () => {
  await createDemoAccounts(db.database)
  viewer = await signedInAs(db.database, 'viewer@example.com')
  editor = await signedInAs(db.database, 'editor@example.com')
  admin = await signedInAs(db.database, 'admin@example.com')
})

async function newDraft(title = 'A title') {
  const created = await createArticle(editor, { title, body: 'One' })
  if (isRefusal(created)) throw new Error(created.message)
  return created.id
}

describe('an article', () => {
  test('is a draft that only writers see, until it is published', async () => {
    const id = await newDraft()
    expect(await findArticle(viewer, id)).toBeUndefined()
    expect(await findArticle(editor, id)).toMatchObject({ body: 'One', version: 1 })
    await setPublished(editor, id, true)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'publish_article',
      outcome: 'success',
      targetId: id,
      actorId: editor.session.user.id,
    })
    expect(await findArticle(viewer, id)).toMatchObject({ author: 'Demo Editor' })
    await setPublished(editor, id, false)
    expect(await findArticle(viewer, id)).toBeUndefined()
  })

  test('that somebody else saved first is not saved over, and both texts are at hand', async () => {
    const id = await newDraft()
    await saveArticle(admin, { id, version: 1, title: 'Theirs', body: 'Two' })
    const mine = await saveArticle(editor, { id, version: 1, title: 'Mine', body: 'Three' })
    expect(mine).toMatchObject({
      code: 'conflict',
      stored: { title: 'Theirs', body: 'Two', version: '2' },
    })
    expect(await findArticle(editor, id)).toMatchObject({ title: 'Theirs', version: 2 })
    await saveArticle(editor, { id, version: 2, title: 'Both', body: 'Two and three' })
    expect(await findArticle(editor, id)).toMatchObject({ title: 'Both', version: 3 })
  })

  test('of twenty who save at once one wins, and all others are told', async () => {
    const id = await newDraft()
    const saves = Array.from({ length: 20 }, (_, index) =>
      saveArticle(editor, { id, version: 1, title: `Try ${index}`, body: '' }),
    )
    const refused = (await Promise.all(saves)).filter(isRefusal)
    expect(refused).toHaveLength(19)
    expect(await findArticle(editor, id)).toMatchObject({ version: 2 })
  })

  test('that is gone is a conflict for whoever still changes it', async () => {
    const id = await newDraft()
    expect(await deleteArticle(admin, id)).toEqual({ deleted: true })
    const late = { id, version: 1, title: 'Late', body: '' }
    for (const result of [
      await saveArticle(editor, late),
      await setPublished(editor, id, true),
      await deleteArticle(admin, id),
    ]) {
      expect(result).toMatchObject({ ok: false, code: 'conflict' })
    }
  })

  test('outlives its author', async () => {
    await db.database
      .insert(users)
      .values({ email: 'leaver@example.com', name: 'Leaver', role: 'editor' })
    const leaver = await signedInAs(db.database, 'leaver@example.com')
    const created = await createArticle(leaver, { title: 'Stays', body: '' })
    if (isRefusal(created)) throw new Error(created.message)
    await db.database.delete(users).where(eq(users.email, 'leaver@example.com'))
    expect(await findArticle(editor, created.id)).toMatchObject({ author: undefined })
  })
})

test('one takes away what one has written, drafts too, and nothing of others', async () => {
  await db.database.delete(articles)
  const id = await newDraft('Mine')
  await createArticle(admin, { title: 'Theirs', body: '' })
  expect(await ownArticles(editor)).toMatchObject({
    articles: [{ id, title: 'Mine', body: 'One', publishedAt: null }],
    olderLeftOut: false,
  })
  await db.database.insert(articles).values(
    Array.from({ length: 500 }, () => ({
      title: 'x',
      body: '',
      authorId: editor.session.user.id,
    })),
  )
  const { articles: taken, olderLeftOut } = await ownArticles(editor)
  expect([taken.length, olderLeftOut]).toEqual([500, true])
})

test('whoever lost the role between the look and the change is refused inside the change', async () => {
  const before = await db.database.$count(articles)
  const pretended = { ...viewer, session: { ...viewer.session } }
  pretended.session.user = { ...viewer.session.user, role: 'editor' }
  expect(await createArticle(pretended, { title: 'No', body: '' })).toMatchObject({
    code: 'forbidden',
  })
  expect(await db.database.$count(articles)).toBe(before)
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'create_article',
    outcome: 'denied',
  })
})

test('a long list comes in pages that neither repeat nor leave out', async () => {
  await db.database.delete(articles)
  const at = new Date()
  // All at the same moment, so that only the id can tell them apart.
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
