import type { Metadata } from 'next'
import { Suspense } from 'react'
import { z } from 'zod'
import { page } from '@/core/guard/page'
import type { SignedInScope } from '@/core/guard/policy'
import { ButtonLink } from '@/core/ui/button'
import { Skeleton } from '@/core/ui/skeleton'
import { cursorField, cursorOf } from '../cursor'
import { type Cursor, listArticles } from '../data'
import { mayRead, mayWrite } from '../policy'
import { ArticleList } from '../ui/article-list'
import { Frame } from '../ui/frame'
import { OutcomeNotice } from '../ui/outcome'

export const metadata: Metadata = { title: 'Articles' }

const query = z.object({ after: cursorField.optional(), done: z.literal('deleted').optional() })

export default page(
  { name: 'articles', path: '/articles', who: mayRead, query },
  ({ scope, query: { after, done } }) => (
    <Frame>
      <div className="mb-8 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">Articles</h1>
        {mayWrite(scope) && <ButtonLink href="/articles/new">Write an article</ButtonLink>}
      </div>
      <OutcomeNotice done={done} />
      <Suspense fallback={<Skeleton label="The articles are being fetched" />}>
        <List scope={scope} after={after} />
      </Suspense>
    </Frame>
  ),
)

async function List({ scope, after }: { scope: SignedInScope; after: Cursor | undefined }) {
  const { articles, next } = await listArticles(scope, after)
  return (
    <ArticleList
      articles={articles}
      nextHref={next && `/articles?after=${cursorOf(next)}`}
      mayWrite={mayWrite(scope)}
    />
  )
}
