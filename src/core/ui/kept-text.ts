'use client'

import { type RefObject, useEffect } from 'react'
import { typedTextKey } from './typed-text-key'

/** Shows the text of a form again after the user has left it to confirm their identity. */
export function useKeptText(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const stored = sessionStorage.getItem(typedTextKey)
    if (stored === null) return
    import('./typed-text').then(({ restoreTyped }) => {
      if (form.current) restoreTyped(form.current, stored)
    })
  }, [form])
}
