import type { FormAction } from 'plinth/universal/action-result'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'

interface SetPasswordFormProps {
  send: FormAction
  email: string
}

/** Sends a link instead of taking a password here: an unlocked screen does not prove ownership. */
export function SetPasswordForm({ send, email }: SetPasswordFormProps) {
  return (
    <Form
      action={send}
      fields={{ purpose: 'set_password' }}
      permalink="/account/sign-in"
      className="max-w-md"
    >
      <p className="text-sm">
        To set a password, we will send a link to{' '}
        <strong className="font-medium break-words">{email}</strong>.
      </p>
      <SubmitButton variant="secondary">Send link</SubmitButton>
    </Form>
  )
}
