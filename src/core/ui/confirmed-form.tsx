'use client'

import { type ReactNode, useActionState, useEffect } from 'react'
import type { ActionResult } from '@/core/guard/action-result'
import { Confirm } from './confirm'
import { Notice } from './notice'
import { SubmitButton } from './submit-button'

interface ConfirmedFormProps {
  /** Unique on the page. */
  id: string
  act: (before: unknown, form: FormData) => Promise<ActionResult<unknown>>
  fields?: Record<string, string>
  /** What the button that asks says. */
  label: string
  title: string
  /** What will be gone. */
  children: ReactNode
  /** What the button that does it says. */
  confirm: string
  size?: 'small' | 'medium'
}

/**
 * A form that is one button and asks first. Why it was refused stands beside the button that asks:
 * without JavaScript the page is new, and what asked is closed.
 */
export function ConfirmedForm(props: ConfirmedFormProps) {
  const { id, act, fields = {}, label, title, children, confirm, size } = props
  const [result, submit] = useActionState(act, undefined)
  useEffect(() => {
    if (result && !result.ok) document.getElementById(id)?.hidePopover()
  }, [id, result])
  return (
    <>
      <Confirm id={id} label={label} title={title} {...(size && { size })}>
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
