import type { Metadata } from 'next'
import type { Cursor } from 'plinth/db/list'
import { defer, page } from 'plinth/guard/page'
import { searchField } from 'plinth/http/fields'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { PageLayout } from '@/app/page-layout'
import { ButtonLink } from '@/ui/button'
import { Pagination } from '@/ui/list'
import { Deferred } from '@/ui/page-parts'
import { cursorField, encodeCursor } from '../cursor'
import { listArticles } from '../data'
import { mayRead, mayWrite } from '../policy'
import { ArticleList } from '../ui/article-list'
import { ArticleSearch } from '../ui/article-search'

export const metadata: Metadata = { title: 'Articles' }

const query = z.object({ query: searchField.optional(), cursor: cursorField.optional() })

export default page(
  {
    name: 'view_articles',
    path: '/articles',
    renderCache: true,
    authorize: mayRead,
    query,
    load: ({ scope, query: { query, cursor } }) =>
      defer({ results: listArticles(scope, cursor, query) }),
  },
  ({ scope, query: { query }, data: { results } }) => (
    <PageLayout
      current="/articles"
      width="narrow"
      title="Articles"
      actions={mayWrite(scope) && <ButtonLink href="/articles/new">Write an article</ButtonLink>}
    >
      <ArticleSearch query={query} />
      <Deferred value={results} label="Loading articles">
        {({ articles, next, previous }) => (
          <>
            <ArticleList articles={articles} query={query} mayWrite={mayWrite(scope)} />
            <Pagination
              label="Pages of articles"
              previousHref={previous && pageUrl(previous, query)}
              nextHref={next && pageUrl(next, query)}
              previousLabel="Newer articles"
              nextLabel="Older articles"
            />
          </>
        )}
      </Deferred>
    </PageLayout>
  ),
)

function pageUrl(cursor: Cursor, query: string | undefined) {
  return urlWith('/articles', { query, cursor: encodeCursor(cursor) })
}
