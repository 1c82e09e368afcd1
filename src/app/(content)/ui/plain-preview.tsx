'use client'

import { useFormResult } from '@/core/ui/form-result'
import { SubmitButton } from '@/core/ui/submit-button'
import { Markdown } from './markdown'

/** Without JavaScript. After the button that saves, which Enter presses. */
export function PreviewButton() {
  return (
    <SubmitButton
      name="preview"
      value="on"
      variant="secondary"
      className="hidden noscript:inline-flex"
    >
      Preview
    </SubmitButton>
  )
}

export function PlainPreview() {
  const result = useFormResult()
  const html = result?.ok === false ? result.stored?.preview : undefined
  if (html === undefined) return null
  return (
    <section aria-labelledby="preview-title">
      <h2 id="preview-title" className="text-lg">
        Preview
      </h2>
      <p className="mb-4 text-sm text-muted">This is not saved yet.</p>
      <Markdown text="" html={html} />
    </section>
  )
}
