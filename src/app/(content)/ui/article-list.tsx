import { Badge } from '@/core/ui/badge'
import { ButtonLink } from '@/core/ui/button'
import { LocalTime } from '@/core/ui/local-time'

interface ListedArticle {
  id: string
  title: string
  author: string | undefined
  publishedAt: Date | undefined
  updatedAt: Date
}

interface ArticleListProps {
  articles: readonly ListedArticle[]
  nextHref: string | undefined
  mayWrite: boolean
}

export function ArticleList({ articles, nextHref, mayWrite }: ArticleListProps) {
  if (articles.length === 0) return <Empty mayWrite={mayWrite} />
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {articles.map(({ id, title, author, publishedAt, updatedAt }) => (
          <li key={id} className="py-5">
            <a
              href={`/articles/${id}`}
              className="text-lg font-semibold break-words hover:text-accent"
            >
              {title}
            </a>
            <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
              {!publishedAt && <Badge tone="warning">Draft</Badge>}
              <span>{author ?? 'Deleted user'}</span>
              <LocalTime at={publishedAt ?? updatedAt} />
            </p>
          </li>
        ))}
      </ul>
      {nextHref && (
        <ButtonLink href={nextHref} variant="secondary" className="mt-6">
          Older articles
        </ButtonLink>
      )}
    </>
  )
}

function Empty({ mayWrite }: { mayWrite: boolean }) {
  return (
    <div className="rounded-lg border border-line bg-surface px-6 py-14 text-center">
      <p className="font-medium">No articles yet.</p>
      <p className="mt-1 text-sm text-muted">
        {mayWrite
          ? 'Write the first one. It stays a draft until you publish it.'
          : 'Published articles appear here.'}
      </p>
      {mayWrite && (
        <ButtonLink href="/articles/new" className="mt-6">
          Write an article
        </ButtonLink>
      )}
    </div>
  )
}
