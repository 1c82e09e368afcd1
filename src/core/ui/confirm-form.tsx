'use client'

import { type ReactNode, useActionState, useEffect, useRef } from 'react'
import type { FormAction } from './action-result'
import { HiddenFields } from './field-layout'
import { ConfirmIdentity, needsIdentity, SubmitButton } from './submit-button'
import { Notice } from './text'

interface ConfirmFormProps {
  action: FormAction
  fields: Readonly<Record<string, string>>
  /** Of the button that runs the action. */
  confirm: string
  /** Of that button. */
  variant?: 'danger' | 'primary'
  /** Closes the dialog: the action may lead to this same page, where the row still is. */
  onDone?: () => void
  /** The consequences. */
  children: ReactNode
}

/** The content of a dialog that runs a server action. */
export function ConfirmForm(props: ConfirmFormProps) {
  const { action, fields, confirm, variant = 'danger', onDone, children } = props
  const [result, submit, pending] = useActionState(action, undefined)
  const failed = result?.ok === false && !needsIdentity(result)
  useOnceDone(pending, () => {
    if (result?.ok !== false) onDone?.()
  })
  return (
    <>
      {children}
      <form action={submit}>
        {failed && <Notice>{result.message}</Notice>}
        <HiddenFields fields={fields} />
        <ConfirmIdentity result={result} />
        <SubmitButton variant={variant}>{confirm}</SubmitButton>
      </form>
    </>
  )
}

/** Calls `whenDone` each time that an action has finished. */
export function useOnceDone(pending: boolean, whenDone: () => void): void {
  const wasPending = useRef(false)
  const latest = useRef(whenDone)
  latest.current = whenDone
  useEffect(() => {
    if (wasPending.current && !pending) latest.current()
    wasPending.current = pending
  }, [pending])
}
