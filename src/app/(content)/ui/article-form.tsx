import type { FormAction } from '@/core/ui/action-result'
import { ButtonLink } from '@/core/ui/button'
import { InputField, TextAreaField } from '@/core/ui/field'
import { Form } from '@/core/ui/form'
import { ArticleConflict, SaveButton } from './article-conflict'

interface ArticleFormProps {
  save: FormAction
  cancelHref: string
  /** Without it the form creates an article. */
  article?: { id: string; version: number; title: string; body: string }
}

/** Keeps the typed text after an error, also when another user saved first. */
export function ArticleForm({ save, cancelHref, article }: ArticleFormProps) {
  return (
    <Form action={save} fields={article ? { id: article.id } : {}}>
      {article && <ArticleConflict version={article.version} />}
      <InputField
        label="Title"
        name="title"
        required
        maxLength={200}
        defaultValue={article?.title}
      />
      <TextAreaField
        label="Text"
        name="body"
        rows={18}
        description="Markdown: **bold**, _italic_, [links](https://example.com), # headings, lists."
        defaultValue={article?.body}
        className="[&_textarea]:font-mono"
      />
      <div className="flex flex-wrap gap-3">
        <SaveButton>{article ? 'Save changes' : 'Save draft'}</SaveButton>
        <ButtonLink href={cancelHref} variant="quiet">
          Cancel
        </ButtonLink>
      </div>
    </Form>
  )
}
