'use client'

import { EmptyState } from '@/ui/page-parts'
import { Badge, LocalTime } from '@/ui/text'

interface ListedArticle {
  id: string
  title: string
  author: string | undefined
  publishedAt: Date | undefined
  updatedAt: Date
}

interface ArticleListProps {
  articles: readonly ListedArticle[]
  /** The text that was searched for. */
  query: string | undefined
  mayWrite: boolean
}

export function ArticleList({ articles, query, mayWrite }: ArticleListProps) {
  if (articles.length === 0)
    return query === undefined ? <NoArticles mayWrite={mayWrite} /> : <NoMatch query={query} />
  return (
    <ul className="divide-y divide-line border-y border-line">
      {articles.map(({ id, title, author, publishedAt, updatedAt }) => (
        <li key={id} className="py-5">
          <a
            href={`/articles/${id}`}
            className="text-lg font-semibold break-words hover:text-accent"
          >
            <bdi>{title}</bdi>
          </a>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            {!publishedAt && <Badge tone="warning">Draft</Badge>}
            <bdi className="min-w-0 break-words">{author ?? 'Deleted user'}</bdi>
            <LocalTime at={publishedAt ?? updatedAt} />
          </p>
        </li>
      ))}
    </ul>
  )
}

function NoArticles({ mayWrite }: { mayWrite: boolean }) {
  return (
    <EmptyState
      title="No articles yet."
      action={mayWrite ? { href: '/articles/new', label: 'Write an article' } : undefined}
    >
      {mayWrite
        ? 'Write the first one. It stays a draft until you publish it.'
        : 'Published articles appear here.'}
    </EmptyState>
  )
}

function NoMatch({ query }: { query: string }) {
  return (
    <EmptyState
      title="No articles match your search."
      action={{ href: '/articles', label: 'Show all articles' }}
    >
      No title or text contains <bdi className="break-words">“{query}”</bdi>. Use fewer or other
      words.
    </EmptyState>
  )
}
