import type { FormAction } from 'plinth/universal/action-result'
import { ButtonLink } from '@/ui/button'
import { Form } from '@/ui/forms/form'
import { previewArticle } from '../actions'
import { maxBodyLength } from '../fields'
import { ArticleFields } from './article-fields'
import { ArticleConflict, SaveButton } from './conflict/article-conflict'
import { PlainPreview, PreviewButton } from './plain-preview'

interface ArticleFormProps {
  save: FormAction
  cancelHref: string
  /** The owner of the unsaved text that the browser keeps. */
  userId: string
  /** Without it the form creates an article. */
  article?: { id: string; version: number; title: string; body: string }
}

/** Keeps the typed text after an error, also when another user saved first. */
export function ArticleForm({ save, cancelHref, userId, article }: ArticleFormProps) {
  return (
    <Form action={save} fields={article ? { id: article.id } : {}}>
      {article && <ArticleConflict version={article.version} />}
      <ArticleFields
        title={article?.title}
        body={article?.body}
        preview={previewArticle}
        draftKey={`${userId}.${article?.id ?? 'new'}`}
        maxLength={maxBodyLength}
      />
      <div className="flex flex-wrap gap-3">
        <SaveButton>{article ? 'Save changes' : 'Save draft'}</SaveButton>
        <PreviewButton />
        <ButtonLink href={cancelHref} variant="quiet">
          Cancel
        </ButtonLink>
      </div>
      <PlainPreview />
    </Form>
  )
}
