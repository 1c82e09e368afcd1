import type { Metadata } from 'next'
import { z } from 'zod'
import { page } from '@/core/guard/page'
import { soon } from '@/core/guard/soon'
import { ButtonLink } from '@/core/ui/button'
import { Panel } from '@/core/ui/panel'
import { cursorField, cursorOf } from '../cursor'
import { listArticles } from '../data'
import { mayRead, mayWrite } from '../policy'
import { ArticleList } from '../ui/article-list'
import { Frame } from '../ui/frame'
import { OutcomeNotice } from '../ui/outcome'

export const metadata: Metadata = { title: 'Articles' }

const query = z.object({ after: cursorField.optional(), done: z.literal('deleted').optional() })

export default page(
  {
    name: 'articles',
    path: '/articles',
    who: mayRead,
    query,
    load: ({ scope, query: { after } }) => soon({ found: listArticles(scope, after) }),
  },
  ({ scope, query: { done }, data: { found } }) => (
    <Frame>
      <div className="mb-8 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">Articles</h1>
        {mayWrite(scope) && <ButtonLink href="/articles/new">Write an article</ButtonLink>}
      </div>
      <OutcomeNotice done={done} />
      <Panel value={found} label="The articles are being fetched">
        {({ articles, next }) => (
          <ArticleList
            articles={articles}
            nextHref={next && `/articles?after=${cursorOf(next)}`}
            mayWrite={mayWrite(scope)}
          />
        )}
      </Panel>
    </Frame>
  ),
)
