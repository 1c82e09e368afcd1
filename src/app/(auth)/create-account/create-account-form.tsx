import { InputField } from '@/core/ui/field'
import { Form } from '@/core/ui/form'
import { SubmitButton } from '@/core/ui/submit-button'
import { EmailField } from '../email-field'
import { NewPasswordField } from '../new-password-field'
import { createAccount } from './actions'

interface CreateAccountFormProps {
  purpose: 'verify_email' | 'invitation'
  token: string
  callbackUrl?: string
  email: string
}

/** The last step of sign-up. Submitting the form uses the link; opening the page does not. */
export function CreateAccountForm({ email, ...fields }: CreateAccountFormProps) {
  return (
    <>
      <h1 className="text-2xl">Create your account</h1>
      <p className="mt-3 text-muted">Your email is confirmed. Choose a name and a password.</p>
      <Form action={createAccount} fields={fields} className="mt-8">
        <EmailField email={email} />
        <InputField label="Name" name="name" autoComplete="name" required autoFocus />
        <NewPasswordField email={email} />
        <SubmitButton className="mt-1 w-full">Create account</SubmitButton>
      </Form>
    </>
  )
}
