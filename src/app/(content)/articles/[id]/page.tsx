import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { z } from 'zod'
import { page } from '@/core/guard/page'
import { Badge } from '@/core/ui/badge'
import { ButtonLink } from '@/core/ui/button'
import { Confirm } from '@/core/ui/confirm'
import { LocalTime } from '@/core/ui/local-time'
import { OneButtonForm } from '@/core/ui/one-button-form'
import { TextLink } from '@/core/ui/text-link'
import { deleteArticle, publishArticle } from '../../actions'
import { type Article, findArticle } from '../../data'
import { articleId } from '../../fields'
import { mayDelete, mayRead, mayWrite } from '../../policy'
import { ArticleNotice } from '../../ui/article-notice'
import { ArticlesLayout } from '../../ui/articles-layout'
import { Markdown } from '../../ui/markdown'

export const metadata: Metadata = { title: 'Article' }

const params = z.object({ id: articleId })
const query = z.object({
  done: z.enum(['created', 'saved', 'published', 'unpublished']).optional(),
})

export default page(
  {
    name: 'view_article',
    path: '/articles/[id]',
    authorize: mayRead,
    params,
    query,
    load: ({ scope, params: { id } }) => findArticle(scope, id),
  },
  ({ scope, query: { done }, data: article }) => {
    if (!article) notFound()
    return (
      <ArticlesLayout>
        <ArticleNotice done={done} />
        <article>
          <h1 className="text-3xl break-words">{article.title}</h1>
          <p className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            {!article.publishedAt && <Badge tone="warning">Draft</Badge>}
            <span>{article.author ?? 'Deleted user'}</span>
            <LocalTime at={article.publishedAt ?? article.updatedAt} />
          </p>
          <div className="mt-8">
            <Markdown text={article.body} />
          </div>
        </article>
        {mayWrite(scope) && <Tools article={article} mayDelete={mayDelete(scope)} />}
        <p className="mt-12 text-sm">
          <TextLink href="/articles">All articles</TextLink>
        </p>
      </ArticlesLayout>
    )
  },
)

function Tools({ article, mayDelete }: { article: Article; mayDelete: boolean }) {
  const { id, publishedAt } = article
  return (
    <div className="mt-10 flex flex-wrap gap-3 border-t border-line pt-6">
      <ButtonLink href={`/articles/${id}/edit`} variant="secondary">
        Edit
      </ButtonLink>
      <OneButtonForm
        action={publishArticle}
        fields={{ id, published: publishedAt ? 'no' : 'yes' }}
        label={publishedAt ? 'Unpublish' : 'Publish'}
        variant={publishedAt ? 'secondary' : 'primary'}
      />
      {mayDelete && (
        <Confirm id="delete-article" label="Delete" title="Delete this article?" variant="quiet">
          <p>This deletes the article for all users. You cannot undo this.</p>
          <OneButtonForm
            action={deleteArticle}
            fields={{ id }}
            label="Delete article"
            variant="danger"
            className="mt-5"
          />
        </Confirm>
      )}
    </div>
  )
}
