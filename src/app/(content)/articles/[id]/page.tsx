import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { page } from 'plinth/guard/page'
import { z } from 'zod'
import { PageLayout } from '@/app/page-layout'
import { Badge, LocalTime } from '@/ui/text'
import { publishArticle } from '../../actions'
import { articleTitle } from '../../article-title'
import { findArticleOnce } from '../../data'
import { articleId } from '../../fields'
import { mayDelete, mayRead, mayWrite } from '../../policy'
import { ArticleTools } from '../../ui/article-tools'
import { Markdown } from '../../ui/markdown'
import { Neighbors } from '../../ui/neighbors'

export async function generateMetadata({
  params,
}: {
  params: Promise<{ id: string }>
}): Promise<Metadata> {
  const title = await articleTitle(params)
  return title === undefined ? {} : { title }
}

const params = z.object({ id: articleId })

export default page(
  {
    name: 'view_article',
    path: '/articles/[id]',
    renderCache: true,
    authorize: mayRead,
    params,
    load: async ({ scope, params: { id } }) => (await findArticleOnce(scope, id)) ?? notFound(),
  },
  ({ scope, data: article }) => {
    const { id, title, author, publishedAt, updatedAt, newer, older } = article
    return (
      <PageLayout
        current="/articles"
        width="narrow"
        breadcrumbs={[{ href: '/articles', label: 'Articles' }]}
        undo={{ publish_article: publishArticle }}
      >
        <article>
          <h1 dir="auto" className="text-3xl break-words">
            {title}
          </h1>
          <p className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            {!publishedAt && <Badge tone="warning">Draft</Badge>}
            <bdi className="min-w-0 break-words">{author ?? 'Deleted user'}</bdi>
            <LocalTime at={publishedAt ?? updatedAt} />
          </p>
          <div className="mt-8">
            <Markdown text={article.body} html={article.html} />
          </div>
        </article>
        {mayWrite(scope) && (
          <ArticleTools
            id={id}
            isPublished={publishedAt !== undefined}
            mayDelete={mayDelete(scope)}
          />
        )}
        <Neighbors newer={newer} older={older} />
      </PageLayout>
    )
  },
)
