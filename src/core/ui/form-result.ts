'use client'

import { createContext, use } from 'react'
import { type ActionResult, errorOf, typedIn } from '@/core/ui/action-result'

export type FormResult = ActionResult<unknown> | undefined

export const FormContext = createContext<FormResult>(undefined)

/** The result of the form around a component. Undefined before it was sent. */
export function useFormResult(): FormResult {
  return use(FormContext)
}

/** What a field of this name shows after the form was sent. */
export function useFieldState(name: string) {
  const result = useFormResult()
  const firstError = result?.ok === false ? result.errors?.[0] : undefined
  return {
    error: errorOf(result, name),
    typed: typedIn(result, name),
    /** Focuses the first invalid field without JavaScript. Undefined if there is none. */
    autoFocus: firstError && firstError.field === name,
  }
}
