import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { z } from 'zod'
import { page } from '@/core/guard/page'
import { PageLayout } from '@/core/layout/page-layout'
import { saveArticle } from '../../../actions'
import { findArticle } from '../../../data'
import { articleId } from '../../../fields'
import { mayWrite } from '../../../policy'
import { ArticleForm } from '../../../ui/article-form'

export const metadata: Metadata = { title: 'Edit article' }

const params = z.object({ id: articleId })

export default page(
  {
    name: 'view_edit_article',
    path: '/articles/[id]/edit',
    authorize: mayWrite,
    params,
    load: ({ scope, params: { id } }) => findArticle(scope, id),
  },
  ({ params: { id }, data: article }) => {
    if (!article) notFound()
    const { version, title, body } = article
    return (
      <PageLayout current="/articles" width="narrow" title="Edit article">
        <ArticleForm
          save={saveArticle}
          cancelHref={`/articles/${id}`}
          article={{ id, version, title, body }}
        />
      </PageLayout>
    )
  },
)
