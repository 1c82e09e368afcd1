'use client'

import { type RefObject, useEffect, useRef } from 'react'

/**
 * Leads whoever sent a form to the first field that was not right. Without JavaScript the page is
 * new and its `autofocus` does that.
 */
export function useFocusOnRefusal(result: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (result) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [result])
  return form
}
