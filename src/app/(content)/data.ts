import 'server-only'
import { and, desc, eq, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { type Database, database } from '@/core/db/client'
import { users } from '@/core/db/schema'
import { type Refusal, refuse } from '@/core/guard/action-result'
import { change } from '@/core/guard/change'
import type { SignedInScope } from '@/core/guard/policy'
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

/** Where the next page begins: behind this one. */
export type Cursor = { at: Date; id: string }

type Page = { articles: ArticleSummary[]; next: Cursor | undefined }

/** Newest first: what is published, and for those who write also the drafts. */
export async function listArticles(scope: SignedInScope, after?: Cursor): Promise<Page> {
  const moment = mayWrite(scope) ? articles.updatedAt : articles.publishedAt
  const rows = await database()
    .select(summary)
    .from(articles)
    .leftJoin(users, eq(users.id, articles.authorId))
    .where(and(visibleTo(scope), after && behind(moment, after)))
    .orderBy(desc(moment), desc(articles.id))
    .limit(pageSize + 1)
  const shown = rows.slice(0, pageSize).map(asSummary)
  const last = shown.at(-1)
  const at = last && (mayWrite(scope) ? last.updatedAt : last.publishedAt)
  const next = rows.length > pageSize && last && at ? { at, id: last.id } : undefined
  return { articles: shown, next }
}

/** Undefined also for a draft that is not theirs to see: whether there is one is not told. */
export async function findArticle(scope: SignedInScope, id: string): Promise<Article | undefined> {
  const [row] = await database()
    .select({ ...summary, body: articles.body, version: articles.version })
    .from(articles)
    .leftJoin(users, eq(users.id, articles.authorId))
    .where(and(eq(articles.id, id), visibleTo(scope)))
  return row && { ...asSummary(row), body: row.body, version: row.version }
}

const ownAtMost = 500

/** What this person has written, for them to take away: the newest, and whether there is more. */
export async function ownArticles(scope: SignedInScope) {
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
    .limit(ownAtMost + 1)
  return { articles: rows.slice(0, ownAtMost), olderLeftOut: rows.length > ownAtMost }
}

export async function createArticle(
  scope: SignedInScope,
  draft: Draft,
): Promise<{ id: string } | Refusal> {
  const id = crypto.randomUUID()
  return change(
    scope,
    { name: 'create_article', who: mayWrite, target: id },
    async (transaction) => {
      await transaction.insert(articles).values({ id, ...draft, authorId: scope.session.user.id })
      return { id }
    },
  )
}

/** Saves over the version that was started from, and over no other: nobody's work is lost. */
export async function saveArticle(
  scope: SignedInScope,
  { id, version, ...draft }: Draft & { id: string; version: number },
): Promise<{ version: number } | Refusal> {
  return change(scope, { name: 'save_article', who: mayWrite, target: id }, async (transaction) => {
    const [saved] = await transaction
      .update(articles)
      .set({ ...draft, version: version + 1, updatedAt: sql`now()` })
      .where(and(eq(articles.id, id), eq(articles.version, version)))
      .returning({ version: articles.version })
    return saved ?? conflict(transaction, id)
  })
}

/** With what the other one saved, so that the two can be brought together. */
async function conflict(transaction: Database, id: string): Promise<Refusal> {
  const [row] = await transaction
    .select({ title: articles.title, body: articles.body, version: articles.version })
    .from(articles)
    .where(eq(articles.id, id))
  if (!row) return refuse('conflict', 'This article no longer exists. Your text is still here.')
  const { title, body, version } = row
  return {
    ...refuse('conflict', 'Somebody else has saved this article since you opened it.'),
    stored: { title, body, version: String(version) },
  }
}

export async function setPublished(
  scope: SignedInScope,
  id: string,
  published: boolean,
): Promise<{ published: boolean } | Refusal> {
  const name = published ? 'publish_article' : 'unpublish_article'
  return change(scope, { name, who: mayWrite, target: id }, async (transaction) => {
    const [row] = await transaction
      .update(articles)
      .set({ publishedAt: published ? sql`coalesce(published_at, now())` : null })
      .where(eq(articles.id, id))
      .returning({ id: articles.id })
    return row ? { published } : refuse('conflict', 'This article no longer exists.')
  })
}

export async function deleteArticle(
  scope: SignedInScope,
  id: string,
): Promise<{ deleted: boolean } | Refusal> {
  return change(
    scope,
    { name: 'delete_article', who: mayDelete, target: id },
    async (transaction) => {
      const rows = await transaction
        .delete(articles)
        .where(eq(articles.id, id))
        .returning({ id: articles.id })
      return rows.length > 0
        ? { deleted: true }
        : refuse('conflict', 'This article no longer exists.')
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

function asSummary({ id, title, author, publishedAt, updatedAt }: SummaryRow): ArticleSummary {
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

type Moment = typeof articles.updatedAt | typeof articles.publishedAt

function behind(moment: Moment, { at, id }: Cursor): SQL | undefined {
  return or(lt(moment, at), and(eq(moment, at), lt(articles.id, id)))
}
