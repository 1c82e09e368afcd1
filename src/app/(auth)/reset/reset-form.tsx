'use client'

import { useActionState } from 'react'
import { type ActionResult, errorOf } from '@/core/guard/action-result'
import { Notice } from '@/core/ui/notice'
import { SubmitButton } from '@/core/ui/submit-button'
import { useFocusOnRefusal } from '@/core/ui/use-focus-on-refusal'
import { AddressField } from '../address-field'
import { PasswordField } from '../password-field'
import { chooseNewPassword } from './actions'

export function ResetForm({ token, email }: { token: string; email: string }) {
  const [result, submit] = useActionState<ActionResult<unknown> | undefined, FormData>(
    chooseNewPassword,
    undefined,
  )
  const form = useFocusOnRefusal(result)
  return (
    <>
      <h1 className="text-2xl">Choose a new password</h1>
      <p className="mt-3 text-muted">
        You are then signed in here, and signed out everywhere else.
      </p>
      <form ref={form} action={submit} noValidate className="mt-8 grid gap-5">
        {result && !result.ok && result.code !== 'invalid' && <Notice>{result.message}</Notice>}
        <AddressField email={email} />
        <PasswordField error={errorOf(result, 'password')} />
        <input type="hidden" name="token" value={token} />
        <SubmitButton className="mt-1 w-full">Set the password</SubmitButton>
      </form>
    </>
  )
}
