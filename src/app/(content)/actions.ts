'use server'

import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '@/core/db/client'
import { mutation } from '@/core/guard/mutation'
import { versionField } from '@/core/http/fields'
import { type ActionError, refuse } from '@/core/ui/action-result'
import { articleId, bodyField, titleField } from './fields'
import { rendererVersion, renderMarkdown } from './markdown/render'
import { mayDelete, mayWrite } from './policy'
import { articles } from './schema'

const rateLimit = { times: 120, seconds: 60 }

export const createArticle = mutation(
  {
    name: 'create_article',
    authorize: mayWrite,
    rateLimit,
    input: z.object({ title: titleField, body: bodyField }),
    keeps: ['title', 'body'],
    prepare: ({ input }) => renderBody(input.body),
    target: ({ newId }) => newId,
    redirectTo: ({ newId }) => `/articles/${newId}?done=created`,
  },
  async ({ tx, scope, input, newId, prepared }) => {
    const authorId = scope.session.user.id
    await tx.insert(articles).values({ id: newId, ...input, ...prepared, authorId })
    return { id: newId }
  },
)

/** Replaces only the version that the edit started from, so that no other edit is lost. */
export const saveArticle = mutation(
  {
    name: 'save_article',
    authorize: mayWrite,
    rateLimit,
    input: z.object({ id: articleId, version: versionField, title: titleField, body: bodyField }),
    keeps: ['title', 'body'],
    prepare: ({ input }) => renderBody(input.body),
    target: ({ input }) => input.id,
    redirectTo: ({ input }) => `/articles/${input.id}?done=saved`,
  },
  async ({ tx, input: { id, version, ...draft }, prepared }) => {
    const [saved] = await tx
      .update(articles)
      .set({ ...draft, ...prepared, version: version + 1, updatedAt: sql`now()` })
      .where(and(eq(articles.id, id), eq(articles.version, version)))
      .returning({ version: articles.version })
    return saved ?? conflict(tx, id)
  },
)

export const publishArticle = mutation(
  {
    name: 'publish_article',
    authorize: mayWrite,
    rateLimit,
    input: z.object({ id: articleId }),
    target: ({ input }) => input.id,
    redirectTo: ({ input }) => `/articles/${input.id}?done=published`,
  },
  async ({ tx, input: { id } }) => {
    const [published] = await tx
      .update(articles)
      .set({ publishedAt: sql`coalesce(published_at, now())` })
      .where(eq(articles.id, id))
      .returning({ id: articles.id })
    return published ?? deleted()
  },
)

export const unpublishArticle = mutation(
  {
    name: 'unpublish_article',
    authorize: mayWrite,
    rateLimit,
    input: z.object({ id: articleId }),
    target: ({ input }) => input.id,
    redirectTo: ({ input }) => `/articles/${input.id}?done=unpublished`,
  },
  async ({ tx, input: { id } }) => {
    const [unpublished] = await tx
      .update(articles)
      .set({ publishedAt: null })
      .where(eq(articles.id, id))
      .returning({ id: articles.id })
    return unpublished ?? deleted()
  },
)

export const deleteArticle = mutation(
  {
    name: 'delete_article',
    authorize: mayDelete,
    rateLimit,
    input: z.object({ id: articleId }),
    target: ({ input }) => input.id,
    redirectTo: '/articles?done=deleted',
  },
  async ({ tx, input: { id } }) => {
    const [row] = await tx
      .delete(articles)
      .where(eq(articles.id, id))
      .returning({ id: articles.id })
    return row ?? deleted()
  },
)

async function renderBody(body: string) {
  const rendered = await renderMarkdown(body)
  if ('html' in rendered) return { html: rendered.html, rendererVersion }
  if (rendered.reason === 'busy') return refuse('rate_limited')
  return refuse('invalid', undefined, [{ field: 'body', message: tooComplex }])
}

const tooComplex =
  'This text is too complex to display. Close open brackets, or use fewer links and less nesting.'

const deleted = () => refuse('conflict', 'This article was deleted.')

/** Returns the stored version so that the user can merge the two. */
async function conflict(tx: Database, id: string): Promise<ActionError> {
  const [row] = await tx
    .select({ title: articles.title, body: articles.body, version: articles.version })
    .from(articles)
    .where(eq(articles.id, id))
  if (!row) return refuse('conflict', 'This article was deleted. Your text is still in the form.')
  const { title, body, version } = row
  return {
    ...refuse('conflict', 'Another user saved this article after you opened it.'),
    stored: { title, body, version: String(version) },
  }
}
