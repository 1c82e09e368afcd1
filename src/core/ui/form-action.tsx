'use client'

import { lazy, useActionState, useEffect, useRef } from 'react'
import type { ActionResult, FormAction } from './action-result'
import type { FormErrorsProps } from './form-errors'

/**
 * `useActionState`, for every form around a server action. If the server cannot be reached, the form
 * stays as it is, and the result says so.
 */
export function useFormAction<Data>(action: FormAction<Data>, permalink?: string) {
  const form = useRef<HTMLFormElement>(null)
  const send = async (last: ActionResult<Data> | undefined, fields: FormData) => {
    const wasOnline = navigator.onLine
    try {
      return await action(last, fields)
    } catch (error) {
      return (await loadErrors()).connectionLost(error, wasOnline, form.current, fields, last)
    }
  }
  // The server renders the action itself, which works without JavaScript.
  const sent = typeof window === 'undefined' ? action : send
  const [result, submit, pending] = useActionState(sent, undefined, permalink)
  useEffect(() => {
    loadErrors().catch(() => {})
  }, [])
  return { form, result, submit, pending }
}

/** Not part of the page, but loaded right after it: without a network it could not be. */
const loadErrors = () => import('./form-errors')

const LoadedErrors = lazy(loadErrors)

/** Inside a form: its errors, unless its fields show them. */
export function FormErrors(props: FormErrorsProps) {
  return props.result?.ok === false && <LoadedErrors {...props} />
}
