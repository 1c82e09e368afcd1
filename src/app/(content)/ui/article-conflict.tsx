'use client'

import { useFormResult } from '@/core/ui/form-result'
import { SubmitButton } from '@/core/ui/submit-button'

/** After a conflict, shows the saved version; the next save replaces that one. */
export function ArticleConflict({ version }: { version: number }) {
  const saved = useSavedVersion()
  return (
    <>
      <input type="hidden" name="version" value={saved?.version ?? version} />
      {saved && (
        <div className="text-sm">
          <p>
            Your text is unchanged below. Copy what you need from the saved version, then save
            again.
          </p>
          <details className="mt-3">
            <summary className="cursor-pointer font-medium">View the saved version</summary>
            <p className="mt-3 font-medium break-words">{saved.title}</p>
            <pre className="mt-2 max-h-80 overflow-auto font-mono text-xs whitespace-pre-wrap">
              {saved.body}
            </pre>
          </details>
        </div>
      )}
    </>
  )
}

export function SaveButton({ children }: { children: string }) {
  return <SubmitButton>{useSavedVersion() ? 'Replace with my version' : children}</SubmitButton>
}

function useSavedVersion() {
  const result = useFormResult()
  return result?.ok === false ? result.stored : undefined
}
