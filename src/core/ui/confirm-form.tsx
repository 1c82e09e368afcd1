'use client'

import type { ReactNode } from 'react'
import type { FormAction } from './action-result'
import { HiddenFields } from './field-layout'
import { FormErrors, useFormAction } from './form-action'
import { useOnceDone } from './row-dialog'
import { ConfirmIdentity, SubmitButton } from './submit-button'

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

export default function ConfirmForm(props: ConfirmFormProps) {
  const { action, fields, confirm, variant = 'danger', onDone, children } = props
  const { form, result, submit, pending } = useFormAction(action)
  useOnceDone(pending, () => {
    if (result?.ok !== false) onDone?.()
  })
  return (
    <>
      {children}
      <form ref={form} action={submit}>
        <FormErrors result={result} form={form} />
        <HiddenFields fields={fields} />
        <ConfirmIdentity result={result} />
        <SubmitButton variant={variant}>{confirm}</SubmitButton>
      </form>
    </>
  )
}
