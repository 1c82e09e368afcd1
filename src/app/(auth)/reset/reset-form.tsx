'use client'

import { useActionState } from 'react'
import { type ActionResult, errorOf } from '@/core/ui/action-result'
import { Notice } from '@/core/ui/notice'
import { SubmitButton } from '@/core/ui/submit-button'
import { useFocusOnError } from '@/core/ui/use-focus-on-error'
import { EmailField } from '../email-field'
import { PasswordField } from '../password-field'
import { resetPassword } from './actions'

export function ResetForm({ token, email }: { token: string; email: string }) {
  const [result, submit] = useActionState<ActionResult<unknown> | undefined, FormData>(
    resetPassword,
    undefined,
  )
  const form = useFocusOnError(result)
  return (
    <>
      <h1 className="text-2xl">Choose a new password</h1>
      <p className="mt-3 text-muted">This signs you in on this device and out on all others.</p>
      <form ref={form} action={submit} noValidate className="mt-8 grid gap-5">
        {result && !result.ok && result.code !== 'invalid' && <Notice>{result.message}</Notice>}
        <EmailField email={email} />
        <PasswordField error={errorOf(result, 'password')} />
        <input type="hidden" name="token" value={token} />
        <SubmitButton className="mt-1 w-full">Set password</SubmitButton>
      </form>
    </>
  )
}
