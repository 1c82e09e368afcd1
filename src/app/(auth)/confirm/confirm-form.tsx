import { Form } from '@/core/ui/form'
import { PasswordField } from '@/core/ui/password-field'
import { SubmitButton } from '@/core/ui/submit-button'
import { EmailField } from '../email-field'
import { confirmIdentity } from './actions'

interface ConfirmFormProps {
  email: string
  callbackUrl: string
}

export function ConfirmForm({ email, callbackUrl }: ConfirmFormProps) {
  return (
    <Form action={confirmIdentity} fields={{ callbackUrl }} className="mt-8">
      <EmailField email={email} />
      <PasswordField
        label="Password"
        name="currentPassword"
        autoComplete="current-password"
        required
        autoFocus
      />
      <SubmitButton className="mt-1 w-full">Confirm</SubmitButton>
    </Form>
  )
}
