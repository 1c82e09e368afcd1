'use client'

import { type ComponentProps, useActionState } from 'react'
import type { FormAction } from '@/core/ui/action-result'
import { Confirm } from './confirm'
import { ConfirmIdentity, needsIdentity } from './confirm-identity'
import { HiddenFields } from './hidden-fields'
import { Notice } from './notice'
import { SubmitButton } from './submit-button'
import { useOnceDone } from './use-once-done'

export interface ConfirmActionProps extends ComponentProps<typeof Confirm> {
  action: FormAction
  fields?: Readonly<Record<string, string>>
  /** Of the button that runs the action. */
  confirm: string
}

/**
 * Errors are shown next to the button: without JavaScript the page is reloaded and the confirmation
 * is closed.
 */
export default function ConfirmAction(props: ConfirmActionProps) {
  const { action, fields = {}, confirm, children, ...dialog } = props
  const { id } = dialog
  const [result, submit, pending] = useActionState(action, undefined)
  // The action has run, or failed; it may lead to this same page.
  const close = () => {
    const dialog = document.getElementById(id) as HTMLDialogElement | null
    if (!needsIdentity(result)) dialog?.close()
  }
  useOnceDone(pending, close)
  return (
    <div>
      <Confirm {...dialog}>
        {children}
        <form action={submit}>
          <HiddenFields fields={fields} />
          <ConfirmIdentity result={result} />
          <SubmitButton variant="danger" className="w-full">
            {confirm}
          </SubmitButton>
        </form>
      </Confirm>
      {result?.ok === false && !needsIdentity(result) && (
        <div className="mt-3">
          <Notice>{result.message}</Notice>
        </div>
      )}
    </div>
  )
}
