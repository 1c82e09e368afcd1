'use client'

import { errorOf } from '@/core/guard/action-result'
import { InputField } from '@/core/ui/field'
import { SubmitButton } from '@/core/ui/submit-button'
import { TextLink } from '@/core/ui/text-link'
import { Refused } from './refused'
import { type Act, useAccountForm } from './use-account-form'

interface PasswordFormProps {
  change: Act
  email: string
  /** How many characters a password has at least. */
  least: number
}

/** Neither password is ever shown again. */
export function PasswordForm({ change, email, least }: PasswordFormProps) {
  const { result, submit, form } = useAccountForm(change)
  const errors = {
    current: errorOf(result, 'currentPassword'),
    next: errorOf(result, 'newPassword'),
  }
  return (
    <form ref={form} action={submit} noValidate className="grid max-w-md gap-5">
      <Refused result={result} />
      {/* For the program that keeps their passwords: whose this one is. */}
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
        description={`At least ${least} characters; a few words in a row are easy to remember.`}
        error={errors.next}
        autoFocus={errors.next !== undefined && errors.current === undefined}
      />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <SubmitButton>Change password</SubmitButton>
        <TextLink href="/forgot" className="text-sm">
          Forgot it?
        </TextLink>
      </div>
    </form>
  )
}
