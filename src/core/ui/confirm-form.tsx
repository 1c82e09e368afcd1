'use client'

import { type ReactNode, useActionState } from 'react'
import type { FormAction } from './action-result'
import { ConfirmIdentity } from './confirm-identity'
import { HiddenFields } from './hidden-fields'
import { Notice } from './notice'
import { SessionEnded } from './session-ended'
import { SubmitButton } from './submit-button'

interface ConfirmFormProps {
  action: FormAction
  fields: Readonly<Record<string, string>>
  /** Of the button that runs the action. */
  confirm: string
  /** The consequences. */
  children: ReactNode
}

/** The content of a dialog that runs a server action. */
export function ConfirmForm({ action, fields, confirm, children }: ConfirmFormProps) {
  const [result, submit] = useActionState(action, undefined)
  const failed = result?.ok === false && result.code !== 'reauthentication_required'
  return (
    <>
      {children}
      <form action={submit}>
        {failed && (
          <Notice>
            {result.message}
            <SessionEnded result={result} />
          </Notice>
        )}
        <HiddenFields fields={fields} />
        <ConfirmIdentity result={result} />
        <SubmitButton variant="danger">{confirm}</SubmitButton>
      </form>
    </>
  )
}
