import { eq } from 'drizzle-orm'
import { auditEvents, users } from 'plinth/db/schema'
import {
  createCaller,
  type EffectiveRole,
  lastEvent,
  matrixCallers,
  transports,
} from 'plinth/testing'
import { callAction, outcomeOf, runningServer } from 'plinth/testing/server'
import { beforeEach, describe, expect, test } from 'vitest'
import { rendererVersion } from '../markdown/render'
import { articles } from '../schema'

const app = runningServer()

const draft = '6e7c9d0e-54b9-4a5c-9d75-0c6f0b1f4a11'
const published = '0b0b7a9c-3f43-4c0e-8f0e-6a1d5f7d2c22'

/** As saved: a page that Next still renders for an earlier test must not change the rows. */
const saved = (body: string) => ({ body, html: `<p>${body}</p>`, rendererVersion })

beforeEach(async () => {
  const { database } = app
  await database.delete(articles)
  // A permanent admin, so that the admins of the matrix can be demoted and deleted.
  await database
    .insert(users)
    .values({ email: 'permanent@example.com', name: 'Permanent admin', role: 'admin' })
    .onConflictDoNothing()
  await database.insert(articles).values([
    { id: draft, title: 'A draft', ...saved('secret plans') },
    { id: published, title: 'Published', ...saved('for all'), publishedAt: new Date() },
  ])
})

const countDenials = () => app.database.$count(auditEvents, eq(auditEvents.outcome, 'denied'))

type Expected = Record<EffectiveRole, string>

const writers: Expected = {
  anonymous: 'unauthenticated',
  viewer: 'forbidden',
  editor: 'done',
  admin: 'done',
}

const actions: Record<string, { input: object; expected: Expected }> = {
  createArticle: { input: { title: 'New', body: 'text' }, expected: writers },
  saveArticle: {
    input: {
      id: draft,
      version: 1,
      title: 'Changed',
      body: 'text',
      authorId: draft,
      role: 'admin',
    },
    expected: writers,
  },
  publishArticle: { input: { id: draft }, expected: writers },
  unpublishArticle: { input: { id: published }, expected: writers },
  deleteArticle: { input: { id: draft }, expected: { ...writers, editor: 'forbidden' } },
}

const pages: Record<string, Record<EffectiveRole, number>> = {
  '/articles': { anonymous: 307, viewer: 200, editor: 200, admin: 200 },
  [`/articles/${published}`]: { anonymous: 307, viewer: 200, editor: 200, admin: 200 },
  [`/articles/${draft}`]: { anonymous: 307, viewer: 404, editor: 200, admin: 200 },
  [`/articles/${draft}/edit`]: { anonymous: 307, viewer: 403, editor: 200, admin: 200 },
  '/articles/new': { anonymous: 307, viewer: 403, editor: 200, admin: 200 },
}

describe.each(matrixCallers)('$caller by $by', ({ effectiveRole, authenticate }) => {
  test.each(Object.entries(actions))('action %s', async (name, { input, expected }) => {
    const headers = await authenticate(app.database)
    const storedArticles = () => app.database.select().from(articles).orderBy(articles.id)
    const before = await storedArticles()
    const denials = await countDenials()
    const outcome = outcomeOf(await callAction(app.url, name, input, headers))
    expect(outcome).toBe(expected[effectiveRole])
    if (outcome === 'done') return expect(await storedArticles()).not.toEqual(before)
    expect(await storedArticles()).toEqual(before)
    expect(await countDenials()).toBe(denials + 1)
  })

  test('action previewArticle', async () => {
    const headers = await authenticate(app.database)
    const input = { title: 'New', body: '*text*' }
    const result = await callAction(app.url, 'previewArticle', input, headers)
    expect(outcomeOf(result)).toBe(writers[effectiveRole])
    expect(JSON.stringify(result).includes('<em>text</em>')).toBe(outcomeOf(result) === 'done')
    expect(await app.database.$count(articles)).toBe(2)
  })

  test.each(Object.entries(pages))('page %s', async (path, expected) => {
    const headers = await authenticate(app.database)
    const response = await fetch(app.url + path, { headers, redirect: 'manual' })
    expect(response.status).toBe(expected[effectiveRole])
    const text = await response.text()
    if (effectiveRole === 'anonymous' || effectiveRole === 'viewer')
      expect(text).not.toContain('secret plans')
    if (response.status === 307) {
      const query = new URLSearchParams({ callbackUrl: path })
      expect(response.headers.get('location')).toBe(`/sign-in?${query}`)
    }
  })
})

describe('a cross-origin call', () => {
  const crossOrigin = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const input = { title: 'x', body: '' }

  test.each([crossOrigin, { 'sec-fetch-site': 'cross-site' }, { origin: 'null' }])(
    'is rejected: %j',
    async (origin) => {
      const { id, token } = await createCaller(app.database, 'editor')
      const headers = { ...transports.cookie(token), ...origin }
      await expect(callAction(app.url, 'createArticle', input, headers)).rejects.toThrow('403')
      expect(await app.database.$count(articles)).toBe(2)
      expect(await lastEvent(app.database)).toMatchObject({
        outcome: 'denied',
        actorId: id,
        details: { reason: 'cross_origin' },
      })
    },
  )

  test('is allowed with a valid bearer token', async () => {
    const { token } = await createCaller(app.database, 'editor')
    const headers = { ...transports.bearer(token), 'sec-fetch-site': 'cross-site' }
    expect(outcomeOf(await callAction(app.url, 'createArticle', input, headers))).toBe('done')
  })
})
