'use server'

import { and, eq, sql } from 'drizzle-orm'
import type { Database } from 'plinth/db/client'
import { action } from 'plinth/guard/action'
import { mutation } from 'plinth/guard/mutation'
import { versionField } from 'plinth/http/fields'
import { type ActionError, isActionError, refuse } from 'plinth/universal/action-result'
import { z } from 'zod'
import { articleId, bodyField, previewField, restoreField, titleField } from './fields'
import { renderBody, showPreview } from './markdown/render-body'
import { mayDelete, mayWrite } from './policy'
import { articles } from './schema'

const rateLimit = { times: 120, seconds: 60 }

export const createArticle = mutation(
  {
    name: 'create_article',
    authorize: mayWrite,
    rateLimit,
    input: z.object({ title: titleField, body: bodyField, preview: previewField }),
    keeps: ['title', 'body'],
    prepare: ({ input }) => (input.preview ? showPreview(input) : renderBody(input.body)),
    target: ({ newId }) => newId,
    redirectTo: ({ newId }) => `/articles/${newId}`,
  },
  async ({ tx, scope, input: { title, body }, newId, prepared, notify }) => {
    const authorId = scope.session.user.id
    await tx.insert(articles).values({ id: newId, title, body, ...prepared, authorId })
    notify(`Draft “${title}” saved. Only editors and admins can see it until you publish it.`)
    return { id: newId }
  },
)

/** Replaces only the version that the edit started from, so that no other edit is lost. */
export const saveArticle = mutation(
  {
    name: 'save_article',
    authorize: mayWrite,
    rateLimit,
    input: z.object({
      id: articleId,
      version: versionField,
      title: titleField,
      body: bodyField,
      preview: previewField,
    }),
    keeps: ['title', 'body'],
    prepare: ({ input }) => (input.preview ? showPreview(input) : renderBody(input.body)),
    target: ({ input }) => input.id,
    redirectTo: ({ input }) => `/articles/${input.id}`,
  },
  async ({ tx, input: { id, version, title, body }, prepared, notify }) => {
    const [saved] = await tx
      .update(articles)
      .set({ title, body, ...prepared, version: version + 1, updatedAt: sql`now()` })
      .where(and(eq(articles.id, id), eq(articles.version, version)))
      .returning({ version: articles.version })
    if (!saved) return conflict(tx, id)
    notify(`Changes to “${title}” saved.`)
    return saved
  },
)

export const publishArticle = mutation(
  {
    name: 'publish_article',
    authorize: mayWrite,
    rateLimit,
    input: z.object({ id: articleId, restore: restoreField }),
    target: ({ input }) => input.id,
    redirectTo: ({ input }) => `/articles/${input.id}`,
  },
  async ({ tx, input: { id, restore }, notify }) => {
    const restored = restore ? sql`last_published_at` : sql`null`
    const [published] = await tx
      .update(articles)
      .set({ publishedAt: sql`coalesce(published_at, ${restored}, now())` })
      .where(eq(articles.id, id))
      .returning({ id: articles.id, title: articles.title })
    if (!published) return deleted()
    notify(`“${published.title}” published. All signed-in users can now read it.`)
    return { id }
  },
)

export const unpublishArticle = mutation(
  {
    name: 'unpublish_article',
    authorize: mayWrite,
    rateLimit,
    input: z.object({ id: articleId }),
    target: ({ input }) => input.id,
    redirectTo: ({ input }) => `/articles/${input.id}`,
  },
  async ({ tx, input: { id }, notify }) => {
    const [unpublished] = await tx
      .update(articles)
      .set({ publishedAt: null, lastPublishedAt: sql`coalesce(published_at, last_published_at)` })
      .where(eq(articles.id, id))
      .returning({ id: articles.id, title: articles.title })
    if (!unpublished) return deleted()
    const undo = { action: 'publish_article', fields: { id, restore: 'on' } }
    notify(`“${unpublished.title}” unpublished. It is a draft again.`, undo)
    return { id }
  },
)

export const deleteArticle = mutation(
  {
    name: 'delete_article',
    authorize: mayDelete,
    rateLimit,
    input: z.object({ id: articleId }),
    target: ({ input }) => input.id,
    redirectTo: '/articles',
  },
  async ({ tx, input: { id }, notify }) => {
    const [row] = await tx
      .delete(articles)
      .where(eq(articles.id, id))
      .returning({ id: articles.id, title: articles.title })
    if (!row) return deleted()
    notify(`“${row.title}” deleted.`)
    return { id }
  },
)

/** Renders a text as it would be shown, without saving it. */
export const previewArticle = action(
  {
    name: 'preview_article',
    authorize: mayWrite,
    rateLimit,
    input: z.object({ body: bodyField }),
  },
  async ({ input: { body } }) => {
    const rendered = await renderBody(body)
    return isActionError(rendered) ? rendered : { html: rendered.html }
  },
)

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
