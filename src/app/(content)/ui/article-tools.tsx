import { ButtonLink } from '@/ui/button'
import { ConfirmButton } from '@/ui/forms/confirm-button'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { deleteArticle, publishArticle, unpublishArticle } from '../actions'

interface ArticleToolsProps {
  id: string
  isPublished: boolean
  mayDelete: boolean
}

/** For users who may write. */
export function ArticleTools({ id, isPublished, mayDelete }: ArticleToolsProps) {
  return (
    <div className="not-printed mt-10 flex flex-wrap gap-3 border-t border-line pt-6">
      <ButtonLink href={`/articles/${id}/edit`} variant="secondary">
        Edit
      </ButtonLink>
      <Form action={isPublished ? unpublishArticle : publishArticle} fields={{ id }}>
        <SubmitButton variant={isPublished ? 'secondary' : 'primary'}>
          {isPublished ? 'Unpublish' : 'Publish'}
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
