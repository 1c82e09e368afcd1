import 'server-only'
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { database } from 'plinth/db/client'
import { type Cursor, type Order, readAll, readPageOrLast } from 'plinth/db/list'
import { users } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
import { currentHtml } from './data/current-html'
import { matching } from './data/matching'
import { newer, older } from './data/neighbors'
import { mayWrite } from './policy'
import { articles } from './schema'

type ArticleSummary = {
  id: string
  title: string
  author: string | undefined
  publishedAt: Date | undefined
  updatedAt: Date
}

export type Article = ArticleSummary & {
  body: string
  version: number
  /** Without it the body is shown as plain text. */
  html: string | undefined
  /** The published articles before and after it. */
  newer: ArticleLink | undefined
  older: ArticleLink | undefined
}

type ArticleLink = { id: string; title: string }

const pageSize = 20

type Page = {
  articles: ArticleSummary[]
  next: Cursor | undefined
  previous: Cursor | undefined
}

/** Newest first, of those with the text. Drafts are included for users who may write. */
export async function listArticles(
  scope: SignedInScope,
  cursor?: Cursor,
  text?: string,
): Promise<Page> {
  const writes = mayWrite(scope)
  const keyOf = ({ updatedAt, publishedAt }: SummaryRow) =>
    writes ? updatedAt : (publishedAt ?? updatedAt)
  const { rows, next, previous } = await readPageOrLast(
    { order: writes ? lastUpdatedFirst : lastPublishedFirst, cursor, limit: pageSize, keyOf },
    ({ where, orderBy, limit }) =>
      database()
        .select(summary)
        .from(articles)
        .leftJoin(users, eq(users.id, articles.authorId))
        .where(and(visibleTo(scope), text === undefined ? undefined : matching(text), where))
        .orderBy(...orderBy)
        .limit(limit),
  )
  return { articles: rows.map(toSummary), next, previous }
}

const lastUpdatedFirst: Order = { key: articles.updatedAt, id: articles.id, direction: 'desc' }

/** Without drafts, which have no date of publication. */
const lastPublishedFirst: Order = {
  key: sql<Date>`${articles.publishedAt}`,
  id: articles.id,
  direction: 'desc',
}

/** Undefined also for a draft that the user may not see, so that its existence is not revealed. */
export async function findArticle(scope: SignedInScope, id: string): Promise<Article | undefined> {
  const [row] = await database()
    .select({ ...summary, ...content })
    .from(articles)
    .leftJoin(users, eq(users.id, articles.authorId))
    .leftJoinLateral(newer, sql`true`)
    .leftJoinLateral(older, sql`true`)
    .where(and(eq(articles.id, id), visibleTo(scope)))
  if (!row) return undefined
  const { body, version } = row
  return {
    ...toSummary(row),
    body,
    version,
    html: await currentHtml(row),
    newer: toLink(row.newerId, row.newerTitle),
    older: toLink(row.olderId, row.olderTitle),
  }
}

const found = new WeakMap<SignedInScope, Map<string, Promise<Article | undefined>>>()

/** One query for a page and its title, which Next renders apart from each other. */
export function findArticleOnce(scope: SignedInScope, id: string): Promise<Article | undefined> {
  const inRequest = found.get(scope) ?? new Map<string, Promise<Article | undefined>>()
  found.set(scope, inRequest)
  const article = inRequest.get(id) ?? findArticle(scope, id)
  inRequest.set(id, article)
  return article
}

/** The user's articles for the data export, newest first. */
export async function exportArticles(scope: SignedInScope) {
  const rows = readAll(
    { order: lastCreatedFirst, keyOf: ({ createdAt }: ExportedArticle) => createdAt },
    ({ where, orderBy, limit }) =>
      selectForExport()
        .where(and(eq(articles.authorId, scope.session.user.id), where))
        .orderBy(...orderBy)
        .limit(limit),
  )
  return { articles: rows }
}

const lastCreatedFirst: Order = { key: articles.createdAt, id: articles.id, direction: 'desc' }

type ExportedArticle = Awaited<ReturnType<typeof selectForExport>>[number]

function selectForExport() {
  return database()
    .select({
      id: articles.id,
      title: articles.title,
      body: articles.body,
      publishedAt: articles.publishedAt,
      createdAt: articles.createdAt,
      updatedAt: articles.updatedAt,
    })
    .from(articles)
}

const summary = {
  id: articles.id,
  title: articles.title,
  author: users.name,
  publishedAt: articles.publishedAt,
  updatedAt: articles.updatedAt,
}

const content = {
  body: articles.body,
  version: articles.version,
  html: articles.html,
  rendererVersion: articles.rendererVersion,
  newerId: newer.id,
  newerTitle: newer.title,
  olderId: older.id,
  olderTitle: older.title,
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

function toLink(id: string | null, title: string | null): ArticleLink | undefined {
  return id === null || title === null ? undefined : { id, title }
}

export function visibleTo(scope: SignedInScope): SQL | undefined {
  return mayWrite(scope) ? undefined : isNotNull(articles.publishedAt)
}
