import { callAction, outcomeOf } from '@tests/support/call-action'
import { everyCaller, makeCaller, type Standing, transports } from '@tests/support/callers'
import { runningProduct } from '@tests/support/product'
import { lastEvent } from '@tests/support/stored'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditEvents, users } from '@/core/db/schema'
import { articles } from '../schema'

const product = runningProduct()

const draft = '6e7c9d0e-54b9-4a5c-9d75-0c6f0b1f4a11'
const published = '0b0b7a9c-3f43-4c0e-8f0e-6a1d5f7d2c22'

beforeEach(async () => {
  const { database } = product
  await database.delete(articles)
  // Never the last admin, so that every admin of the matrix can be made and unmade.
  await database
    .insert(users)
    .values({ email: 'keeper@example.com', name: 'Keeper', role: 'admin' })
    .onConflictDoNothing()
  await database.insert(articles).values([
    { id: draft, title: 'A draft', body: 'secret plans' },
    { id: published, title: 'Published', body: 'for all', publishedAt: new Date() },
  ])
})

type Expected = Record<Standing, string>

const writers: Expected = {
  nobody: 'unauthenticated',
  viewer: 'forbidden',
  editor: 'done',
  admin: 'done',
}

const actions: Record<string, { input: object; expected: Expected }> = {
  createArticle: { input: { title: 'New', body: 'text' }, expected: writers },
  saveArticle: {
    input: {
      id: draft,
      version: '1',
      title: 'Changed',
      body: 'text',
      authorId: draft,
      role: 'admin',
    },
    expected: writers,
  },
  publishArticle: { input: { id: draft, published: 'yes' }, expected: writers },
  deleteArticle: { input: { id: draft }, expected: { ...writers, editor: 'forbidden' } },
}

const pages: Record<string, Record<Standing, number>> = {
  '/articles': { nobody: 307, viewer: 200, editor: 200, admin: 200 },
  [`/articles/${published}`]: { nobody: 307, viewer: 200, editor: 200, admin: 200 },
  [`/articles/${draft}`]: { nobody: 307, viewer: 404, editor: 200, admin: 200 },
  [`/articles/${draft}/edit`]: { nobody: 307, viewer: 403, editor: 200, admin: 200 },
  '/articles/new': { nobody: 307, viewer: 403, editor: 200, admin: 200 },
}

describe.each(everyCaller)('$caller by $by', ({ standing, identify }) => {
  test.each(Object.entries(actions))('action %s', async (name, { input, expected }) => {
    const headers = await identify(product.database)
    const everything = () => product.database.select().from(articles).orderBy(articles.id)
    const before = await everything()
    const outcome = outcomeOf(await callAction(product.url, name, input, headers))
    expect(outcome).toBe(expected[standing])
    if (outcome === 'done') return expect(await everything()).not.toEqual(before)
    expect(await everything()).toEqual(before)
    const denied = await product.database
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.outcome, 'denied'))
    expect(denied.length).toBeGreaterThan(0)
  })

  test.each(Object.entries(pages))('page %s', async (path, expected) => {
    const headers = await identify(product.database)
    const response = await fetch(product.url + path, { headers, redirect: 'manual' })
    expect(response.status).toBe(expected[standing])
    const text = await response.text()
    if (standing === 'nobody' || standing === 'viewer') expect(text).not.toContain('secret plans')
    if (response.status === 307) {
      const wanted = new URLSearchParams({ callbackUrl: path })
      expect(response.headers.get('location')).toBe(`/sign-in?${wanted}`)
    }
  })
})

describe('a page of another site', () => {
  const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const input = { title: 'x', body: '' }

  test.each([elsewhere, { 'sec-fetch-site': 'cross-site' }, { origin: 'null' }])(
    'cannot make somebody’s browser call an action: %j',
    async (evidence) => {
      const { id, token } = await makeCaller(product.database, 'editor')
      const headers = { ...transports.cookie(token), ...evidence }
      await expect(callAction(product.url, 'createArticle', input, headers)).rejects.toThrow('403')
      expect(await product.database.$count(articles)).toBe(2)
      expect(await lastEvent(product.database)).toMatchObject({
        outcome: 'denied',
        actorId: id,
        details: { reason: 'cross_origin' },
      })
    },
  )

  test('has no cookie to misuse where a live bearer token speaks for the caller', async () => {
    const { token } = await makeCaller(product.database, 'editor')
    const headers = { ...transports.bearer(token), 'sec-fetch-site': 'cross-site' }
    expect(outcomeOf(await callAction(product.url, 'createArticle', input, headers))).toBe('done')
  })
})
