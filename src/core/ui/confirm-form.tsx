'use client'

import { type ReactNode, useActionState } from 'react'
import type { FormAction } from './action-result'
import { ConfirmIdentity, needsIdentity } from './confirm-identity'
import { HiddenFields } from './hidden-fields'
import { Notice } from './notice'
import { SubmitButton } from './submit-button'
import { useOnceDone } from './use-once-done'

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
