'use client'

import { type RefObject, useEffect, useRef } from 'react'

/** Focuses the first invalid field. Without JavaScript `autofocus` does it. */
export function useFocusOnError(result: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (result) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [result])
  return form
}
