'use client'

import type { FormAction } from '@/core/ui/action-result'
import { SubmitButton } from '@/core/ui/submit-button'
import { FormError } from './form-error'
import { useAccountForm } from './use-account-form'

interface SetPasswordFormProps {
  send: FormAction
  email: string
}

/** Sends a link instead of taking a password here: an unlocked screen does not prove ownership. */
export function SetPasswordForm({ send, email }: SetPasswordFormProps) {
  const { result, submit, form } = useAccountForm(send)
  return (
    <form ref={form} action={submit} className="grid max-w-md gap-4">
      <FormError result={result} />
      <input type="hidden" name="purpose" value="set_password" />
      <p className="text-sm">
        To set a password, we will send a link to{' '}
        <strong className="font-medium break-words">{email}</strong>.
      </p>
      <SubmitButton variant="secondary" className="justify-self-start">
        Send link
      </SubmitButton>
    </form>
  )
}
