import type { FormAction } from 'plinth/universal/action-result'
import { Form } from '@/ui/forms/form'
import { PasswordField } from '@/ui/forms/password-field'
import { SubmitButton } from '@/ui/forms/submit-button'
import { TextLink } from '@/ui/text'

interface PasswordFormProps {
  change: FormAction
  user: { email: string; name: string }
  length: { min: number; max: number }
}

export function PasswordForm({ change, user, length }: PasswordFormProps) {
  const { email, name } = user
  return (
    <Form action={change} permalink="/account/sign-in" className="max-w-md">
      {/* Tells password managers which account this is. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        name="currentPassword"
        autoComplete="current-password"
        required
      />
      <PasswordField
        label="New password"
        name="newPassword"
        autoComplete="new-password"
        required
        description={`A few random words work well. Minimum ${length.min} characters.`}
        rules={{ ...length, email, name }}
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
