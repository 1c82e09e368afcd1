import type { FormAction } from '@/core/ui/action-result'
import { InputField } from '@/core/ui/field'
import { Form } from '@/core/ui/form'
import { SubmitButton } from '@/core/ui/submit-button'
import { TextLink } from '@/core/ui/text-link'

interface PasswordFormProps {
  change: FormAction
  email: string
  minLength: number
}

export function PasswordForm({ change, email, minLength }: PasswordFormProps) {
  return (
    <Form action={change} permalink="/account/security" className="max-w-md">
      {/* Tells password managers which account this is. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <InputField
        label="Current password"
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        required
      />
      <InputField
        label="New password"
        name="newPassword"
        type="password"
        autoComplete="new-password"
        required
        description={`A few random words work well. Minimum ${minLength} characters.`}
      />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <SubmitButton>Change password</SubmitButton>
        <TextLink href="/forgot" className="text-sm">
          Forgot your password?
        </TextLink>
      </div>
    </Form>
  )
}
