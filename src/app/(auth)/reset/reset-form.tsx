import { Form } from '@/core/ui/form'
import { SubmitButton } from '@/core/ui/submit-button'
import { EmailField } from '../email-field'
import { PasswordField } from '../password-field'
import { resetPassword } from './actions'

export function ResetForm({ token, email }: { token: string; email: string }) {
  return (
    <>
      <h1 className="text-2xl">Choose a new password</h1>
      <p className="mt-3 text-muted">This signs you in on this device and out on all others.</p>
      <Form action={resetPassword} fields={{ token }} className="mt-8">
        <EmailField email={email} />
        <PasswordField />
        <SubmitButton className="mt-1 w-full">Set password</SubmitButton>
      </Form>
    </>
  )
}
