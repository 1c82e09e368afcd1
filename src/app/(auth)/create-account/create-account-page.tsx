import type { SignUpLink } from 'plinth/auth/accounts/sign-up'
import { env } from 'plinth/config/env'
import { InputField } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { createAccount } from '../actions'
import { callbackFields, withCallbackUrl } from '../callback-url'
import { EmailField, InvalidLink, NewPasswordField } from '../link-page'

interface CreateAccountPageProps {
  purpose: SignUpLink
  token: string
  callbackUrl: string | undefined
  /** Undefined if the link is invalid, used or expired. */
  link: { email: string } | undefined
}

export function CreateAccountPage(props: CreateAccountPageProps) {
  const { link, callbackUrl, ...form } = props
  if (link) {
    return <CreateAccountForm {...form} {...callbackFields(callbackUrl)} email={link.email} />
  }
  const newLink = { href: withCallbackUrl('/sign-up', callbackUrl), label: 'Get a new link' }
  return <InvalidLink next={env().SIGN_UP === 'open' ? newLink : undefined} />
}

interface CreateAccountFormProps {
  purpose: 'verify_email' | 'invitation'
  token: string
  callbackUrl?: string
  email: string
}

/** The last step of sign-up. Submitting the form uses the link; opening the page does not. */
function CreateAccountForm({ email, ...fields }: CreateAccountFormProps) {
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
