'use client'

import { SubmitButton } from '@/core/ui/submit-button'
import { Refused } from './refused'
import { type Act, useAccountForm } from './use-account-form'

interface SetPasswordProps {
  send: Act
  email: string
}

/** Whoever sits here could set one at once; whoever has the mailbox is the owner. */
export function SetPassword({ send, email }: SetPasswordProps) {
  const { result, submit, form } = useAccountForm(send)
  return (
    <form ref={form} action={submit} className="grid max-w-md gap-4">
      <Refused result={result} />
      <input type="hidden" name="purpose" value="set_password" />
      <p className="text-sm">
        To set one, have a link sent to <strong className="font-medium break-words">{email}</strong>
        .
      </p>
      <SubmitButton variant="secondary" className="justify-self-start">
        Send me the link
      </SubmitButton>
    </form>
  )
}
