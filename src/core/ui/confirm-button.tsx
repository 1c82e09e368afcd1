'use client'

import { type ComponentProps, useActionState, useEffect } from 'react'
import type { FormAction } from '@/core/ui/action-result'
import { Confirm } from './confirm'
import { ConfirmIdentity } from './confirm-identity'
import { HiddenFields } from './hidden-fields'
import { Notice } from './notice'
import { SubmitButton } from './submit-button'

interface ConfirmButtonProps extends ComponentProps<typeof Confirm> {
  action: FormAction
  fields?: Readonly<Record<string, string>>
  /** Of the button that runs the action. */
  confirm: string
}

/**
 * A button that runs a server action after a confirmation. Errors are shown next to the button:
 * without JavaScript the page is reloaded and the confirmation is closed.
 */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { action, fields = {}, confirm, children, ...dialog } = props
  const { id } = dialog
  const [result, submit] = useActionState(action, undefined)
  useEffect(() => {
    if (result?.ok !== false || result.code === 'reauthentication_required') return
    document.getElementById(id)?.hidePopover()
  }, [id, result])
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
      {result && !result.ok && (
        <div className="mt-3">
          <Notice>{result.message}</Notice>
        </div>
      )}
    </div>
  )
}
