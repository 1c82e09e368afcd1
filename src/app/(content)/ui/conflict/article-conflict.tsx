'use client'

import { lazy } from 'react'
import { useFormResult } from '@/ui/forms/field'
import { SubmitButton } from '@/ui/forms/submit-button'

/** Rarely needed, so it is not part of the page. */
const BothVersions = lazy(() => import('./both-versions'))

/** After a conflict, shows what saving again would change; the next save replaces that version. */
export function ArticleConflict({ version }: { version: number }) {
  const { stored, saved, typed = {} } = useConflict()
  return (
    <>
      <input type="hidden" name="version" value={stored?.version ?? version} />
      {saved && <BothVersions saved={saved} typed={typed} />}
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
