import type { Metadata } from 'next'
import { z } from 'zod'
import { defer } from '@/core/guard/deferred'
import { page } from '@/core/guard/page'
import { ButtonLink } from '@/core/ui/button'
import { Deferred } from '@/core/ui/deferred'
import { cursorField, encodeCursor } from '../cursor'
import { listArticles } from '../data'
import { mayRead, mayWrite } from '../policy'
import { ArticleList } from '../ui/article-list'
import { ArticleNotice } from '../ui/article-notice'
import { ArticlesLayout } from '../ui/articles-layout'

export const metadata: Metadata = { title: 'Articles' }

const query = z.object({ after: cursorField.optional(), done: z.literal('deleted').optional() })

export default page(
  {
    name: 'view_articles',
    path: '/articles',
    authorize: mayRead,
    query,
    load: ({ scope, query: { after } }) => defer({ results: listArticles(scope, after) }),
  },
  ({ scope, query: { done }, data: { results } }) => (
    <ArticlesLayout>
      <div className="mb-8 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">Articles</h1>
        {mayWrite(scope) && <ButtonLink href="/articles/new">Write an article</ButtonLink>}
      </div>
      <ArticleNotice done={done} />
      <Deferred value={results} label="Loading articles">
        {({ articles, next }) => (
          <ArticleList
            articles={articles}
            nextHref={next && `/articles?after=${encodeCursor(next)}`}
            mayWrite={mayWrite(scope)}
          />
        )}
      </Deferred>
    </ArticlesLayout>
  ),
)
