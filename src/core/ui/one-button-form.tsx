'use client'

import { useActionState } from 'react'
import type { ActionResult } from '@/core/guard/action-result'
import { Notice } from '@/core/ui/notice'
import { SubmitButton } from '@/core/ui/submit-button'

interface OneButtonFormProps {
  act: (before: unknown, form: FormData) => Promise<ActionResult<unknown>>
  fields: Record<string, string>
  label: string
  variant?: 'primary' | 'secondary' | 'danger'
  size?: 'small' | 'medium'
  className?: string
}

/** A form that is one button, with what went wrong beside it. */
export function OneButtonForm(props: OneButtonFormProps) {
  const { act, fields, label, variant, size, className } = props
  const [result, submit] = useActionState(act, undefined)
  return (
    <form action={submit} className={className}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SubmitButton variant={variant} size={size} className="w-full">
        {label}
      </SubmitButton>
      {result && !result.ok && (
        <div className="mt-3">
          <Notice>{result.message}</Notice>
        </div>
      )}
    </form>
  )
}
