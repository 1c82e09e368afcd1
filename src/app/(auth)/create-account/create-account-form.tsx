'use client'

import { useActionState } from 'react'
import { type ActionResult, errorOf, typedIn } from '@/core/ui/action-result'
import { InputField } from '@/core/ui/field'
import { Notice } from '@/core/ui/notice'
import { SubmitButton } from '@/core/ui/submit-button'
import { useFocusOnError } from '@/core/ui/use-focus-on-error'
import { EmailField } from '../email-field'
import { PasswordField } from '../password-field'
import { createAccount } from './actions'

interface CreateAccountFormProps {
  purpose: 'verify_email' | 'invitation'
  token: string
  email: string
}

/** The last step of sign-up. Submitting the form uses the link; opening the page does not. */
export function CreateAccountForm({ purpose, token, email }: CreateAccountFormProps) {
  const [result, submit] = useActionState<ActionResult<unknown> | undefined, FormData>(
    createAccount,
    undefined,
  )
  const form = useFocusOnError(result)
  const nameError = errorOf(result, 'name')
  return (
    <>
      <h1 className="text-2xl">Create your account</h1>
      <p className="mt-3 text-muted">Your email is confirmed. Choose a name and a password.</p>
      <form ref={form} action={submit} noValidate className="mt-8 grid gap-5">
        {result && !result.ok && result.code !== 'invalid' && <Notice>{result.message}</Notice>}
        <EmailField email={email} />
        <InputField
          label="Name"
          name="name"
          autoComplete="name"
          required
          autoFocus={!result || nameError !== undefined}
          defaultValue={typedIn(result, 'name')}
          error={nameError}
        />
        <PasswordField error={errorOf(result, 'password')} />
        <input type="hidden" name="purpose" value={purpose} />
        <input type="hidden" name="token" value={token} />
        <SubmitButton className="mt-1 w-full">Create account</SubmitButton>
      </form>
    </>
  )
}
