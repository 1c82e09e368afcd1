import type { ActionResult, FormAction } from 'plinth/universal/action-result'
import { type RefObject, useEffect, useState } from 'react'
import { Notice } from '@/ui/text'
import { Markdown } from '../markdown'
import type { Preview } from './preview'
import { panelOf } from './tab'

interface PreviewPanelProps {
  id: string
  textarea: RefObject<HTMLTextAreaElement | null>
  preview: FormAction<Preview>
}

/** The text as the server renders it when it is saved. */
export function PreviewPanel({ id, textarea, preview }: PreviewPanelProps) {
  const result = usePreview(textarea, preview)
  return (
    <div
      {...panelOf(id, 'preview')}
      aria-busy={result === undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a tab panel without fields needs a tab stop
      tabIndex={0}
      className="mt-1 min-h-80 rounded-md border border-line bg-surface p-4"
    >
      {result === undefined && <p className="text-sm text-muted">Loading the preview…</p>}
      {result?.ok === false && <Notice>{result.errors?.[0]?.message ?? result.message}</Notice>}
      {result?.ok && <Shown {...result.data} />}
    </div>
  )
}

function Shown({ html }: Preview) {
  if (html === '') return <p className="text-sm text-muted">There is no text yet.</p>
  return <Markdown text="" html={html} />
}

function usePreview({ current }: PreviewPanelProps['textarea'], preview: FormAction<Preview>) {
  const [result, setResult] = useState<ActionResult<Preview>>()
  useEffect(() => {
    let isShown = true
    const fields = new FormData()
    fields.set('body', current?.value ?? '')
    preview(undefined, fields).then(
      (loaded) => isShown && setResult(loaded),
      () => isShown && setResult(unreachable),
    )
    return () => {
      isShown = false
    }
  }, [current, preview])
  return result
}

const unreachable: ActionResult<Preview> = {
  ok: false,
  code: 'unavailable',
  message: 'The preview could not be loaded. Check your connection and try again.',
}
