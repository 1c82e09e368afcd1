'use client'

import { lazy } from 'react'
import { useFormResult } from '@/ui/forms/field'
import { SubmitButton } from '@/ui/forms/submit-button'

/** Never needed with JavaScript. */
const ShownPreview = lazy(() => import('./shown-preview'))

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
  return html === undefined ? null : <ShownPreview html={html} />
}
