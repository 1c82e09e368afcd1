import type { Metadata } from 'next'
import { z } from 'zod'
import type { Cursor } from '@/core/db/list/cursor'
import { defer } from '@/core/guard/deferred'
import { page } from '@/core/guard/page'
import { PageLayout } from '@/core/layout/page-layout'
import { ButtonLink } from '@/core/ui/button'
import { Deferred } from '@/core/ui/deferred'
import { doneField } from '@/core/ui/done-field'
import { FlashNotice } from '@/core/ui/flash-notice'
import { Pagination } from '@/core/ui/pagination'
import { urlWith } from '@/core/ui/url'
import { cursorField, encodeCursor } from '../cursor'
import { listArticles } from '../data'
import { mayRead, mayWrite } from '../policy'
import { ArticleList } from '../ui/article-list'

export const metadata: Metadata = { title: 'Articles' }

const messages = { deleted: 'Article deleted.' }

const query = z.object({ cursor: cursorField.optional(), done: doneField(messages) })

export default page(
  {
    name: 'view_articles',
    path: '/articles',
    renderCache: true,
    authorize: mayRead,
    query,
    load: ({ scope, query: { cursor } }) => defer({ results: listArticles(scope, cursor) }),
  },
  ({ scope, query: { done }, data: { results } }) => (
    <PageLayout
      current="/articles"
      width="narrow"
      title="Articles"
      actions={mayWrite(scope) && <ButtonLink href="/articles/new">Write an article</ButtonLink>}
    >
      <FlashNotice done={done} messages={messages} />
      <Deferred value={results} label="Loading articles">
        {({ articles, next, previous }) => (
          <>
            <ArticleList articles={articles} mayWrite={mayWrite(scope)} />
            <Pagination
              label="Pages of articles"
              previousHref={previous && pageUrl(previous)}
              nextHref={next && pageUrl(next)}
              previousLabel="Newer articles"
              nextLabel="Older articles"
            />
          </>
        )}
      </Deferred>
    </PageLayout>
  ),
)

const pageUrl = (cursor: Cursor) => urlWith('/articles', { cursor: encodeCursor(cursor) })
