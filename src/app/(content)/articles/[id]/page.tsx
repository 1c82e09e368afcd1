import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { z } from 'zod'
import { page } from '@/core/guard/page'
import { PageLayout } from '@/core/layout/page-layout'
import { Badge } from '@/core/ui/badge'
import { ButtonLink } from '@/core/ui/button'
import { ConfirmButton } from '@/core/ui/confirm-button'
import { doneField } from '@/core/ui/done-field'
import { FlashNotice } from '@/core/ui/flash-notice'
import { Form } from '@/core/ui/form'
import { LocalTime } from '@/core/ui/local-time'
import { SubmitButton } from '@/core/ui/submit-button'
import { TextLink } from '@/core/ui/text-link'
import { deleteArticle, publishArticle, unpublishArticle } from '../../actions'
import { type Article, findArticle } from '../../data'
import { articleId } from '../../fields'
import { mayDelete, mayRead, mayWrite } from '../../policy'
import { Markdown } from '../../ui/markdown'

export const metadata: Metadata = { title: 'Article' }

const messages = {
  created: 'Draft saved. Only editors and admins can see it until you publish it.',
  saved: 'Changes saved.',
  published: 'Article published. All signed-in users can now read it.',
  unpublished: 'Article unpublished. It is a draft again.',
}

const params = z.object({ id: articleId })
const query = z.object({ done: doneField(messages) })

export default page(
  {
    name: 'view_article',
    path: '/articles/[id]',
    renderCache: true,
    authorize: mayRead,
    params,
    query,
    load: ({ scope, params: { id } }) => findArticle(scope, id),
  },
  ({ scope, query: { done }, data: article }) => {
    if (!article) notFound()
    return (
      <PageLayout current="/articles" width="narrow">
        <FlashNotice done={done} messages={messages} />
        <article>
          <h1 className="text-3xl break-words">{article.title}</h1>
          <p className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            {!article.publishedAt && <Badge tone="warning">Draft</Badge>}
            <span>{article.author ?? 'Deleted user'}</span>
            <LocalTime at={article.publishedAt ?? article.updatedAt} />
          </p>
          <div className="mt-8">
            <Markdown text={article.body} html={article.html} />
          </div>
        </article>
        {mayWrite(scope) && <Tools article={article} mayDelete={mayDelete(scope)} />}
        <p className="mt-12 text-sm">
          <TextLink href="/articles">All articles</TextLink>
        </p>
      </PageLayout>
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
      <Form action={publishedAt ? unpublishArticle : publishArticle} fields={{ id }}>
        <SubmitButton variant={publishedAt ? 'secondary' : 'primary'}>
          {publishedAt ? 'Unpublish' : 'Publish'}
        </SubmitButton>
      </Form>
      {mayDelete && (
        <ConfirmButton
          id="delete-article"
          action={deleteArticle}
          fields={{ id }}
          label="Delete"
          title="Delete this article?"
          confirm="Delete article"
          variant="quiet"
        >
          <p>This deletes the article for all users. You cannot undo this.</p>
        </ConfirmButton>
      )}
    </div>
  )
}
