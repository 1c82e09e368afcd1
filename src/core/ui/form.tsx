'use client'

import clsx from 'clsx'
import { createContext, type ReactNode, use, useActionState } from 'react'
import {
  type ActionError,
  type ActionResult,
  errorOf,
  type FormAction,
  typedIn,
} from '@/core/ui/action-result'
import { HiddenFields } from '@/core/ui/hidden-fields'
import { Notice } from '@/core/ui/notice'
import { SubmitButton } from '@/core/ui/submit-button'
import { useFocusOnError } from '@/core/ui/use-focus-on-error'

type FormResult = ActionResult<unknown> | undefined

const FormContext = createContext<FormResult>(undefined)

interface FormProps {
  /** A server action. */
  action: FormAction
  /** Sent with the form, but not shown. */
  fields?: Readonly<Record<string, string>>
  /** Of a submit button at the end of the form. */
  submitLabel?: string
  /** Where the page is shown after the form was sent without JavaScript; by default its own URL. */
  permalink?: string
  className?: string
  children?: ReactNode
}

/**
 * A form around a server action, also without JavaScript. The fields in it show their errors and the
 * typed text again; an error of the whole form is shown at the top.
 */
export function Form(props: FormProps) {
  const { action, fields = {}, submitLabel, permalink, className, children } = props
  const [result, submit] = useActionState(action, undefined, permalink)
  const form = useFocusOnError(result)
  const error = result && !result.ok ? formError(result, Object.keys(fields)) : undefined
  return (
    <FormContext value={result}>
      <form
        ref={form}
        action={submit}
        noValidate
        className={clsx('grid gap-5 [&>button]:justify-self-start', className)}
      >
        {error && <Notice>{error}</Notice>}
        <HiddenFields fields={withStored(fields, result)} />
        {children}
        {submitLabel && <SubmitButton>{submitLabel}</SubmitButton>}
      </form>
    </FormContext>
  )
}

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

/** After a conflict, the next submission is based on the stored version. */
function withStored(fields: Readonly<Record<string, string>>, result: FormResult) {
  const stored = result?.ok === false ? (result.stored ?? {}) : {}
  const known = Object.entries(stored).filter(([name]) => name in fields)
  return { ...fields, ...Object.fromEntries(known) }
}

/** Undefined if every error belongs to a field that the user sees. */
function formError({ message, errors = [] }: ActionError, hidden: string[]): string | undefined {
  const ofForm = errors.find(({ field }) => field === '')
  if (ofForm) return ofForm.message
  return errors.every(({ field }) => hidden.includes(field)) ? message : undefined
}
