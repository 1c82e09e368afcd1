'use client'

import { type ReactNode, useActionState, useEffect } from 'react'
import type { FormAction } from '@/core/ui/action-result'
import { Confirm } from './confirm'
import { Notice } from './notice'
import { SubmitButton } from './submit-button'

interface ConfirmedFormProps {
  /** Unique on the page. */
  id: string
  action: FormAction
  fields?: Record<string, string>
  /** Of the button that opens the confirmation. */
  label: string
  title: string
  /** The consequences. */
  children: ReactNode
  /** Of the button that submits the form. */
  confirm: string
  /** Of the button that closes the confirmation. */
  dismiss?: string
  size?: 'small' | 'medium'
}

/**
 * A one-button form with a confirmation. Errors are shown next to the first button: without
 * JavaScript the page is reloaded and the confirmation is closed.
 */
export function ConfirmedForm(props: ConfirmedFormProps) {
  const { id, action, fields = {}, label, title, children, confirm, dismiss, size } = props
  const [result, submit] = useActionState(action, undefined)
  useEffect(() => {
    if (result && !result.ok) document.getElementById(id)?.hidePopover()
  }, [id, result])
  return (
    <>
      <Confirm
        id={id}
        label={label}
        title={title}
        {...(size && { size })}
        {...(dismiss && { dismiss })}
      >
        {children}
        <form action={submit} className="mt-5">
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
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
    </>
  )
}
