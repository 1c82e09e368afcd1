import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { z } from 'zod'
import { page } from '@/core/guard/page'
import { saveArticle } from '../../../actions'
import { findArticle } from '../../../data'
import { articleId } from '../../../fields'
import { mayWrite } from '../../../policy'
import { ArticleForm } from '../../../ui/article-form'
import { Frame } from '../../../ui/frame'

export const metadata: Metadata = { title: 'Edit the article' }

const params = z.object({ id: articleId })

export default page(
  {
    name: 'edit_article',
    path: '/articles/[id]/edit',
    who: mayWrite,
    params,
    load: ({ scope, params: { id } }) => findArticle(scope, id),
  },
  ({ params: { id }, data: article }) => {
    if (!article) notFound()
    const { version, title, body } = article
    return (
      <Frame>
        <h1 className="mb-8 text-2xl">Edit the article</h1>
        <ArticleForm
          save={saveArticle}
          cancelHref={`/articles/${id}`}
          article={{ id, version, title, body }}
        />
      </Frame>
    )
  },
)
