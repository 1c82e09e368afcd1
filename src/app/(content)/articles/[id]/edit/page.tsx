import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { z } from 'zod'
import { page } from '@/core/guard/page'
import { saveArticle } from '../../../actions'
import { findArticle } from '../../../data'
import { articleId } from '../../../fields'
import { mayWrite } from '../../../policy'
import { ArticleForm } from '../../../ui/article-form'
import { ArticlesLayout } from '../../../ui/articles-layout'

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
      <ArticlesLayout>
        <h1 className="mb-8 text-2xl">Edit article</h1>
        <ArticleForm
          save={saveArticle}
          cancelHref={`/articles/${id}`}
          article={{ id, version, title, body }}
        />
      </ArticlesLayout>
    )
  },
)
