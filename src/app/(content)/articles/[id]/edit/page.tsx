import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { page } from 'plinth/guard/page'
import { z } from 'zod'
import { PageLayout } from '@/app/page-layout'
import { saveArticle } from '../../../actions'
import { articleTitle } from '../../../article-title'
import { findArticleOnce } from '../../../data'
import { articleId } from '../../../fields'
import { mayWrite } from '../../../policy'
import { ArticleForm } from '../../../ui/article-form'

export async function generateMetadata({
  params,
}: {
  params: Promise<{ id: string }>
}): Promise<Metadata> {
  const title = await articleTitle(params)
  return title === undefined ? {} : { title: `Edit “${title}”` }
}

const params = z.object({ id: articleId })

export default page(
  {
    name: 'view_edit_article',
    path: '/articles/[id]/edit',
    authorize: mayWrite,
    params,
    load: async ({ scope, params: { id } }) => (await findArticleOnce(scope, id)) ?? notFound(),
  },
  ({ scope, params: { id }, data: article }) => {
    const { version, title, body } = article
    return (
      <PageLayout
        current="/articles"
        width="narrow"
        title="Edit article"
        breadcrumbs={[
          { href: '/articles', label: 'Articles' },
          { href: `/articles/${id}`, label: title },
        ]}
      >
        <ArticleForm
          save={saveArticle}
          cancelHref={`/articles/${id}`}
          userId={scope.session.user.id}
          article={{ id, version, title, body }}
        />
      </PageLayout>
    )
  },
)
