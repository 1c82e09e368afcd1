'use client'

import { errorOf, type FormAction } from '@/core/ui/action-result'
import { InputField } from '@/core/ui/field'
import { SubmitButton } from '@/core/ui/submit-button'
import { TextLink } from '@/core/ui/text-link'
import { FormError } from './form-error'
import { useAccountForm } from './use-account-form'

interface PasswordFormProps {
  change: FormAction
  email: string
  minLength: number
}

export function PasswordForm({ change, email, minLength }: PasswordFormProps) {
  const { result, submit, form } = useAccountForm(change)
  const errors = {
    current: errorOf(result, 'currentPassword'),
    next: errorOf(result, 'newPassword'),
  }
  return (
    <form ref={form} action={submit} noValidate className="grid max-w-md gap-5">
      <FormError result={result} />
      {/* Tells password managers which account this is. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <InputField
        label="Current password"
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        required
        error={errors.current}
        autoFocus={errors.current !== undefined}
      />
      <InputField
        label="New password"
        name="newPassword"
        type="password"
        autoComplete="new-password"
        required
        description={`A few random words work well. Minimum ${minLength} characters.`}
        error={errors.next}
        autoFocus={errors.next !== undefined && errors.current === undefined}
      />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <SubmitButton>Change password</SubmitButton>
        <TextLink href="/forgot" className="text-sm">
          Forgot your password?
        </TextLink>
      </div>
    </form>
  )
}
