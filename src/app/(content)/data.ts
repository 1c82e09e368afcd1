import 'server-only'
import { and, desc, eq, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { type Database, database } from '@/core/db/client'
import { users } from '@/core/db/schema'
import { runMutation } from '@/core/guard/mutation'
import type { SignedInScope } from '@/core/guard/policy'
import { type ActionError, refuse } from '@/core/ui/action-result'
import { mayDelete, mayWrite } from './policy'
import { articles } from './schema'

type ArticleSummary = {
  id: string
  title: string
  author: string | undefined
  publishedAt: Date | undefined
  updatedAt: Date
}

export type Article = ArticleSummary & { body: string; version: number }

export type Draft = { title: string; body: string }

const pageSize = 20

/** The last article of the previous page. */
export type Cursor = { at: Date; id: string }

type Page = { articles: ArticleSummary[]; next: Cursor | undefined }

/** Newest first. Drafts are included for users who may write. */
export async function listArticles(scope: SignedInScope, after?: Cursor): Promise<Page> {
  const sortColumn = mayWrite(scope) ? articles.updatedAt : articles.publishedAt
  const rows = await database()
    .select(summary)
    .from(articles)
    .leftJoin(users, eq(users.id, articles.authorId))
    .where(and(visibleTo(scope), after && isBefore(sortColumn, after)))
    .orderBy(desc(sortColumn), desc(articles.id))
    .limit(pageSize + 1)
  const shown = rows.slice(0, pageSize).map(toSummary)
  const last = shown.at(-1)
  const at = last && (mayWrite(scope) ? last.updatedAt : last.publishedAt)
  const next = rows.length > pageSize && last && at ? { at, id: last.id } : undefined
  return { articles: shown, next }
}

/** Undefined also for a draft that the user may not see, so that its existence is not revealed. */
export async function findArticle(scope: SignedInScope, id: string): Promise<Article | undefined> {
  const [row] = await database()
    .select({ ...summary, body: articles.body, version: articles.version })
    .from(articles)
    .leftJoin(users, eq(users.id, articles.authorId))
    .where(and(eq(articles.id, id), visibleTo(scope)))
  return row && { ...toSummary(row), body: row.body, version: row.version }
}

const maxExported = 500

/** The user's articles for the data export, newest first. */
export async function exportArticles(scope: SignedInScope) {
  const rows = await database()
    .select({
      id: articles.id,
      title: articles.title,
      body: articles.body,
      publishedAt: articles.publishedAt,
      createdAt: articles.createdAt,
      updatedAt: articles.updatedAt,
    })
    .from(articles)
    .where(eq(articles.authorId, scope.session.user.id))
    .orderBy(desc(articles.createdAt), desc(articles.id))
    .limit(maxExported + 1)
  return { articles: rows.slice(0, maxExported), truncated: rows.length > maxExported }
}

export async function createArticle(
  scope: SignedInScope,
  draft: Draft,
): Promise<{ id: string } | ActionError> {
  const id = crypto.randomUUID()
  return runMutation(
    scope,
    { name: 'create_article', authorize: mayWrite, target: id },
    async (transaction) => {
      await transaction.insert(articles).values({ id, ...draft, authorId: scope.session.user.id })
      return { id }
    },
  )
}

/** Replaces only the version that the edit started from, so that no other edit is lost. */
export async function saveArticle(
  scope: SignedInScope,
  { id, version, ...draft }: Draft & { id: string; version: number },
): Promise<{ version: number } | ActionError> {
  return runMutation(
    scope,
    { name: 'save_article', authorize: mayWrite, target: id },
    async (transaction) => {
      const [saved] = await transaction
        .update(articles)
        .set({ ...draft, version: version + 1, updatedAt: sql`now()` })
        .where(and(eq(articles.id, id), eq(articles.version, version)))
        .returning({ version: articles.version })
      return saved ?? conflict(transaction, id)
    },
  )
}

/** Returns the stored version so that the user can merge the two. */
async function conflict(transaction: Database, id: string): Promise<ActionError> {
  const [row] = await transaction
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

export async function setPublished(
  scope: SignedInScope,
  id: string,
  published: boolean,
): Promise<{ published: boolean } | ActionError> {
  const name = published ? 'publish_article' : 'unpublish_article'
  return runMutation(scope, { name, authorize: mayWrite, target: id }, async (transaction) => {
    const [row] = await transaction
      .update(articles)
      .set({ publishedAt: published ? sql`coalesce(published_at, now())` : null })
      .where(eq(articles.id, id))
      .returning({ id: articles.id })
    return row ? { published } : refuse('conflict', 'This article was deleted.')
  })
}

export async function deleteArticle(
  scope: SignedInScope,
  id: string,
): Promise<{ deleted: boolean } | ActionError> {
  return runMutation(
    scope,
    { name: 'delete_article', authorize: mayDelete, target: id },
    async (transaction) => {
      const rows = await transaction
        .delete(articles)
        .where(eq(articles.id, id))
        .returning({ id: articles.id })
      return rows.length > 0 ? { deleted: true } : refuse('conflict', 'This article was deleted.')
    },
  )
}

const summary = {
  id: articles.id,
  title: articles.title,
  author: users.name,
  publishedAt: articles.publishedAt,
  updatedAt: articles.updatedAt,
}

type SummaryRow = Omit<ArticleSummary, 'author' | 'publishedAt'> & {
  author: string | null
  publishedAt: Date | null
}

function toSummary({ id, title, author, publishedAt, updatedAt }: SummaryRow): ArticleSummary {
  return {
    id,
    title,
    author: author ?? undefined,
    publishedAt: publishedAt ?? undefined,
    updatedAt,
  }
}

function visibleTo(scope: SignedInScope): SQL | undefined {
  return mayWrite(scope) ? undefined : isNotNull(articles.publishedAt)
}

type SortColumn = typeof articles.updatedAt | typeof articles.publishedAt

function isBefore(column: SortColumn, { at, id }: Cursor): SQL | undefined {
  return or(lt(column, at), and(eq(column, at), lt(articles.id, id)))
}
