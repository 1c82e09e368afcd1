'use client'

import { useActionState } from 'react'
import { type ActionResult, errorOf, typedIn } from '@/core/guard/action-result'
import { InputField } from '@/core/ui/field'
import { Notice } from '@/core/ui/notice'
import { SubmitButton } from '@/core/ui/submit-button'

interface InvitationFormProps {
  send: (before: unknown, form: FormData) => Promise<ActionResult<unknown>>
}

export function InvitationForm({ send }: InvitationFormProps) {
  const [result, submit] = useActionState(send, undefined)
  const error = errorOf(result, 'email')
  return (
    <form action={submit} className="mb-8 grid max-w-md gap-4">
      {result?.ok === false && !error && <Notice>{result.message}</Notice>}
      <InputField
        label="E-mail"
        name="email"
        type="email"
        required
        description="They get a link that works once, for seven days."
        defaultValue={typedIn(result, 'email')}
        error={error}
      />
      <SubmitButton className="justify-self-start">Invite</SubmitButton>
    </form>
  )
}
