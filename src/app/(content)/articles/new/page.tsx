import type { Metadata } from 'next'
import { page } from '@/core/guard/page'
import { createArticle } from '../../actions'
import { mayWrite } from '../../policy'
import { ArticleForm } from '../../ui/article-form'
import { Frame } from '../../ui/frame'

export const metadata: Metadata = { title: 'Write an article' }

export default page({ name: 'new_article', path: '/articles/new', who: mayWrite }, () => (
  <Frame>
    <h1 className="mb-8 text-2xl">Write an article</h1>
    <ArticleForm save={createArticle} cancelHref="/articles" />
  </Frame>
))
