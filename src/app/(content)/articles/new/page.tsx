import type { Metadata } from 'next'
import { page } from '@/core/guard/page'
import { createArticle } from '../../actions'
import { mayWrite } from '../../policy'
import { ArticleForm } from '../../ui/article-form'
import { ArticlesLayout } from '../../ui/articles-layout'

export const metadata: Metadata = { title: 'Write an article' }

export default page(
  { name: 'view_new_article', path: '/articles/new', authorize: mayWrite },
  () => (
    <ArticlesLayout>
      <h1 className="mb-8 text-2xl">Write an article</h1>
      <ArticleForm save={createArticle} cancelHref="/articles" />
    </ArticlesLayout>
  ),
)
