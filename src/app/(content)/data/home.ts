import 'server-only'
import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import { database } from 'plinth/db/client'
import { users } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
import type { HomeCardContent } from 'plinth/universal/home-card'
import type { SearchResult } from 'plinth/universal/search-results'
import { visibleTo } from '../data'
import { articles } from '../schema'
import { titleContains } from './matching'

const maxItems = 5

/** The user's own, so that writing continues where it stopped. */
export async function ownDrafts(scope: SignedInScope): Promise<HomeCardContent> {
  const rows = await database()
    .select({ id: articles.id, title: articles.title, at: articles.updatedAt })
    .from(articles)
    .where(and(eq(articles.authorId, scope.session.user.id), isNull(articles.publishedAt)))
    .orderBy(desc(articles.updatedAt), desc(articles.id))
    .limit(maxItems)
  return {
    ...(rows.length === 0 && { text: 'You have no drafts.' }),
    items: rows.map(({ id, title, at }) => ({ href: `/articles/${id}`, label: title, at })),
    actions: [{ href: '/articles/new', label: 'Write an article' }],
  }
}

export async function latestArticles(_: SignedInScope): Promise<HomeCardContent | undefined> {
  const rows = await database()
    .select({
      id: articles.id,
      title: articles.title,
      author: users.name,
      publishedAt: articles.publishedAt,
    })
    .from(articles)
    .leftJoin(users, eq(users.id, articles.authorId))
    .where(isNotNull(articles.publishedAt))
    .orderBy(desc(articles.publishedAt), desc(articles.id))
    .limit(maxItems)
  if (rows.length === 0) return undefined
  return {
    items: rows.map(({ id, title, author, publishedAt }) => ({
      href: `/articles/${id}`,
      label: title,
      detail: author ?? 'Deleted user',
      ...(publishedAt && { at: publishedAt }),
    })),
  }
}

/** For the command palette. */
export async function findTitles(
  scope: SignedInScope,
  text: string,
): Promise<readonly SearchResult[]> {
  const rows = await database()
    .select({ id: articles.id, title: articles.title, publishedAt: articles.publishedAt })
    .from(articles)
    .where(and(titleContains(text), visibleTo(scope)))
    .orderBy(desc(articles.updatedAt), desc(articles.id))
    .limit(maxItems)
  return rows.map(({ id, title, publishedAt }) => ({
    href: `/articles/${id}`,
    label: title,
    ...(!publishedAt && { detail: 'Draft' }),
  }))
}
