'use client'

import { useActionState } from 'react'
import type { FormAction } from '@/core/ui/action-result'
import { Notice } from '@/core/ui/notice'
import { SubmitButton } from '@/core/ui/submit-button'

interface OneButtonFormProps {
  action: FormAction
  fields: Record<string, string>
  label: string
  variant?: 'primary' | 'secondary' | 'danger'
  size?: 'small' | 'medium'
  className?: string
}

export function OneButtonForm(props: OneButtonFormProps) {
  const { action, fields, label, variant, size, className } = props
  const [result, submit] = useActionState(action, undefined)
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
