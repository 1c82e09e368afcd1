import 'server-only'
import { and, asc, desc, isNotNull, sql } from 'drizzle-orm'
import { alias, QueryBuilder } from 'drizzle-orm/pg-core'
import { articles } from '../schema'

/** The article published after the one of the outer query. */
export const newer = neighbor('newer')

/** The article published before the one of the outer query. */
export const older = neighbor('older')

function neighbor(name: 'newer' | 'older') {
  const other = alias(articles, `${name}_article`)
  const operator = sql.raw(name === 'newer' ? '>' : '<')
  const inOrder = name === 'newer' ? asc : desc
  return new QueryBuilder()
    .select({ id: other.id, title: other.title })
    .from(other)
    .where(
      and(
        isNotNull(other.publishedAt),
        sql`(${other.publishedAt}, ${other.id}) ${operator} (${articles.publishedAt}, ${articles.id})`,
      ),
    )
    .orderBy(inOrder(other.publishedAt), inOrder(other.id))
    .limit(1)
    .as(name)
}
