'use client'

import { useActionState } from 'react'
import { type ActionResult, errorOf, type Refusal, typedIn } from '@/core/guard/action-result'
import { ButtonLink } from '@/core/ui/button'
import { InputField, TextAreaField } from '@/core/ui/field'
import { Notice } from '@/core/ui/notice'
import { SubmitButton } from '@/core/ui/submit-button'

interface ArticleFormProps {
  save: (before: unknown, form: FormData) => Promise<ActionResult<unknown>>
  cancelHref: string
  /** The one that is changed; without it the form makes a new one. */
  article?: { id: string; version: number; title: string; body: string }
}

/** What was typed stays in the form whatever happens, also when somebody else saved first. */
export function ArticleForm({ save, cancelHref, article }: ArticleFormProps) {
  const [result, submit] = useActionState(save, undefined)
  const refusal = result && !result.ok ? result : undefined
  const stored = refusal?.stored
  return (
    <form action={submit} className="grid gap-5">
      {refusal && <Refused refusal={refusal} />}
      {article && (
        <>
          <input type="hidden" name="id" value={article.id} />
          {/* Once they have seen what the other one wrote, they may save over it. */}
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
        <SubmitButton>{stored ? 'Save mine instead' : 'Save'}</SubmitButton>
        <ButtonLink href={cancelHref} variant="quiet">
          Cancel
        </ButtonLink>
      </div>
    </form>
  )
}

function Refused({ refusal: { message, stored } }: { refusal: Refusal }) {
  return (
    <Notice>
      <p>{message}</p>
      {stored && (
        <>
          <p className="mt-2">
            Your text is below, unchanged. Take over what you need from theirs, then save.
          </p>
          <details className="mt-3 text-ink">
            <summary className="cursor-pointer font-medium">What they saved</summary>
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
