import 'server-only'
import { and, desc, eq, isNotNull, lt, or, type SQL } from 'drizzle-orm'
import { database } from '@/core/db/client'
import { users } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'
import { mayWrite } from './policy'
import { articles } from './schema'

type ArticleSummary = {
  id: string
  title: string
  author: string | undefined
  publishedAt: Date | undefined
  updatedAt: Date
}

export type Article = ArticleSummary & { body: string; version: number }

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
