'use client'

import { useActionState } from 'react'
import { errorOf, type FormAction, typedIn } from '@/core/ui/action-result'
import { InputField } from '@/core/ui/field'
import { Notice } from '@/core/ui/notice'
import { SubmitButton } from '@/core/ui/submit-button'

interface InvitationFormProps {
  send: FormAction
}

export function InvitationForm({ send }: InvitationFormProps) {
  const [result, submit] = useActionState(send, undefined)
  const error = errorOf(result, 'email')
  return (
    <form action={submit} className="mb-8 grid max-w-md gap-4">
      {result?.ok === false && !error && <Notice>{result.message}</Notice>}
      <InputField
        label="Email"
        name="email"
        type="email"
        required
        description="We send a link that works once and expires after seven days."
        defaultValue={typedIn(result, 'email')}
        error={error}
      />
      <SubmitButton className="justify-self-start">Send invitation</SubmitButton>
    </form>
  )
}
