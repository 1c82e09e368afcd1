'use client'

import { useActionState } from 'react'
import { type ActionError, errorOf, type FormAction, typedIn } from '@/core/ui/action-result'
import { ButtonLink } from '@/core/ui/button'
import { InputField, TextAreaField } from '@/core/ui/field'
import { Notice } from '@/core/ui/notice'
import { SubmitButton } from '@/core/ui/submit-button'

interface ArticleFormProps {
  save: FormAction
  cancelHref: string
  /** Without it the form creates an article. */
  article?: { id: string; version: number; title: string; body: string }
}

/** Keeps the typed text after an error, also when another user saved first. */
export function ArticleForm({ save, cancelHref, article }: ArticleFormProps) {
  const [result, submit] = useActionState(save, undefined)
  const error = result && !result.ok ? result : undefined
  const stored = error?.stored
  const submitLabel = article ? 'Save changes' : 'Save draft'
  return (
    <form action={submit} className="grid gap-5">
      {error && <SaveError error={error} />}
      {article && (
        <>
          <input type="hidden" name="id" value={article.id} />
          {/* After a conflict, the next save replaces the version that the user was shown. */}
          <input type="hidden" name="version" value={stored?.version ?? article.version} />
        </>
      )}
      <InputField
        label="Title"
        name="title"
        required
        maxLength={200}
        defaultValue={typedIn(result, 'title') ?? article?.title}
        error={errorOf(result, 'title')}
      />
      <TextAreaField
        label="Text"
        name="body"
        rows={18}
        description="Markdown: **bold**, _italic_, [links](https://example.com), # headings, lists."
        defaultValue={typedIn(result, 'body') ?? article?.body}
        error={errorOf(result, 'body')}
        className="[&_textarea]:font-mono"
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton>{stored ? 'Replace with my version' : submitLabel}</SubmitButton>
        <ButtonLink href={cancelHref} variant="quiet">
          Cancel
        </ButtonLink>
      </div>
    </form>
  )
}

function SaveError({ error: { message, stored } }: { error: ActionError }) {
  return (
    <Notice>
      <p>{message}</p>
      {stored && (
        <>
          <p className="mt-2">
            Your text is unchanged below. Copy what you need from the saved version, then save
            again.
          </p>
          <details className="mt-3 text-ink">
            <summary className="cursor-pointer font-medium">View the saved version</summary>
            <p className="mt-3 font-medium break-words">{stored.title}</p>
            <pre className="mt-2 max-h-80 overflow-auto font-mono text-xs whitespace-pre-wrap">
              {stored.body}
            </pre>
          </details>
        </>
      )}
    </Notice>
  )
}
