import type { Metadata } from 'next'
import { page } from 'plinth/guard/page'
import { PageLayout } from '@/app/page-layout'
import { createArticle } from '../../actions'
import { mayWrite } from '../../policy'
import { ArticleForm } from '../../ui/article-form'

export const metadata: Metadata = { title: 'Write an article' }

export default page(
  { name: 'view_new_article', path: '/articles/new', authorize: mayWrite },
  ({ scope }) => (
    <PageLayout
      current="/articles"
      width="narrow"
      title="Write an article"
      breadcrumbs={[{ href: '/articles', label: 'Articles' }]}
    >
      <ArticleForm save={createArticle} cancelHref="/articles" userId={scope.session.user.id} />
    </PageLayout>
  ),
)
