'use client'

import { useActionState } from 'react'
import type { ActionResult } from '@/core/guard/action-result'
import { SubmitButton } from '@/core/ui/submit-button'
import { Refused } from './refused'

interface SetPasswordProps {
  send: (before: unknown, form: FormData) => Promise<ActionResult<unknown>>
  email: string
}

/** Whoever sits here could set one at once; whoever has the mailbox is the owner. */
export function SetPassword({ send, email }: SetPasswordProps) {
  const [result, submit] = useActionState(send, undefined)
  return (
    <form action={submit} className="grid max-w-md gap-4">
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
