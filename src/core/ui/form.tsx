'use client'

import { type ReactNode, type RefObject, useActionState, useEffect, useRef } from 'react'
import type { ActionError, FormAction } from '@/core/ui/action-result'
import { classNames } from '@/core/ui/button'
import { FormContext, type FormResult } from '@/core/ui/field'
import { HiddenFields } from '@/core/ui/field-layout'
import { ConfirmIdentity, needsIdentity, SubmitButton } from '@/core/ui/submit-button'
import { Notice } from '@/core/ui/text'

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
      <form ref={form} action={submit} noValidate className={classNames('form', className)}>
        {error && <Notice>{error}</Notice>}
        <HiddenFields fields={withStored(fields, result)} />
        {children}
        <ConfirmIdentity result={result} page={permalink} />
        {submitLabel && <SubmitButton>{submitLabel}</SubmitButton>}
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

/** Undefined if every error belongs to a field that the user sees. */
function formError(error: ActionError, hidden: string[]): string | undefined {
  const { message, errors = [] } = error
  if (needsIdentity(error)) return undefined
  const ofForm = errors.find(({ field }) => field === '')
  if (ofForm) return ofForm.message
  return errors.every(({ field }) => hidden.includes(field)) ? message : undefined
}

/** Focuses the first invalid field. Without JavaScript `autofocus` does it. */
export function useFocusOnError(result: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (result) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [result])
  return form
}
