'use client'

import { lazy, useEffect, useRef } from 'react'
import { useFormResult } from '@/core/ui/form-result'
import { SubmitButton } from '@/core/ui/submit-button'

/** Rarely needed, so it is not part of the page. */
const Differences = lazy(() => import('./differences'))

/** After a conflict, shows what saving again would change; the next save replaces that version. */
export function ArticleConflict({ version }: { version: number }) {
  const { stored, saved, typed = {} } = useConflict()
  const explanation = useRef<HTMLDivElement>(null)
  // It is above the text, far from the button that was pressed.
  useEffect(() => {
    if (saved) explanation.current?.focus()
  }, [saved])
  return (
    <>
      <input type="hidden" name="version" value={stored?.version ?? version} />
      {saved && (
        <div ref={explanation} tabIndex={-1} className="text-sm outline-none">
          <p>
            Your text is unchanged below. Copy what you need from the saved version, then save
            again.
          </p>
          <Differences saved={saved} typed={typed} />
          <details className="mt-3">
            <summary className="cursor-pointer font-medium">View the saved version</summary>
            <p dir="auto" className="mt-3 font-medium break-words">
              {saved.title}
            </p>
            <pre
              dir="auto"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll what has the focus
              tabIndex={0}
              className="mt-2 max-h-80 overflow-auto font-mono text-xs break-words whitespace-pre-wrap"
            >
              {saved.body}
            </pre>
          </details>
        </div>
      )}
    </>
  )
}

export function SaveButton({ children }: { children: string }) {
  const { saved } = useConflict()
  return <SubmitButton>{saved ? 'Replace with my version' : children}</SubmitButton>
}

function useConflict() {
  const result = useFormResult()
  const { stored, typed } = result?.ok === false ? result : {}
  // A preview stores no title.
  return { stored, saved: stored && 'title' in stored ? stored : undefined, typed }
}
