'use client'

import type { ActionResult, FormAction } from 'plinth/universal/action-result'
import { lazy, type ReactNode, useActionState, useEffect, useRef } from 'react'
import { classNames } from '@/ui/button'
import { FormContext, type FormResult } from '@/ui/forms/field'
import { HiddenFields } from '@/ui/forms/field-layout'
import type { FormErrorsProps } from '@/ui/forms/form-errors'
import { ConfirmIdentity, SubmitButton } from '@/ui/forms/submit-button'

interface FormProps {
  /** A server action. */
  action: FormAction
  /** Sent with the form, but not shown. */
  fields?: Readonly<Record<string, string>>
  /** The label of a submit button at the end of the form. */
  submitLabel?: string
  /** Where the page is shown after the form was sent without JavaScript; by default its own URL. */
  permalink?: string
  className?: string
  children?: ReactNode
}

/**
 * A form around a server action, also without JavaScript. The fields in it show their errors and the
 * typed text again; an error of the whole form, or of no field in it, is shown at the top.
 */
export function Form(props: FormProps) {
  const { action, fields = {}, submitLabel, permalink, className, children } = props
  const { form, result, submit } = useFormAction(action, permalink)
  const errors = { result, form, hidden: Object.keys(fields) }
  return (
    <FormContext value={result}>
      <form ref={form} action={submit} noValidate className={classNames('form', className)}>
        <FormErrors {...errors} place="top" />
        <HiddenFields fields={withStored(fields, result)} />
        {children}
        <ConfirmIdentity result={result} page={permalink} />
        {submitLabel && <SubmitButton>{submitLabel}</SubmitButton>}
        <FormErrors {...errors} place="end" />
      </form>
    </FormContext>
  )
}

/** After a conflict, the next submission is based on the stored version. */
function withStored(fields: Readonly<Record<string, string>>, result: FormResult) {
  const stored = result?.ok === false ? (result.stored ?? {}) : {}
  const known = Object.entries(stored).filter(([name]) => name in fields)
  return { ...fields, ...Object.fromEntries(known) }
}

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
