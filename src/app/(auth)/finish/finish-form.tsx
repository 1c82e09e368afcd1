'use client'

import { useActionState } from 'react'
import { type ActionResult, errorOf, typedIn } from '@/core/guard/action-result'
import { InputField } from '@/core/ui/field'
import { Notice } from '@/core/ui/notice'
import { SubmitButton } from '@/core/ui/submit-button'
import { useFocusOnRefusal } from '@/core/ui/use-focus-on-refusal'
import { AddressField } from '../address-field'
import { PasswordField } from '../password-field'
import { createAccount } from './actions'

interface FinishFormProps {
  way: 'verify_email' | 'invitation'
  token: string
  email: string
}

/** The last step of signing up. Opening the page used nothing up: pressing the button does. */
export function FinishForm({ way, token, email }: FinishFormProps) {
  const [result, submit] = useActionState<ActionResult<unknown> | undefined, FormData>(
    createAccount,
    undefined,
  )
  const form = useFocusOnRefusal(result)
  const nameError = errorOf(result, 'name')
  return (
    <>
      <h1 className="text-2xl">Finish your account</h1>
      <p className="mt-3 text-muted">Your address is confirmed. Two more things and you are in.</p>
      <form ref={form} action={submit} noValidate className="mt-8 grid gap-5">
        {result && !result.ok && result.code !== 'invalid' && <Notice>{result.message}</Notice>}
        <AddressField email={email} />
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
        <input type="hidden" name="way" value={way} />
        <input type="hidden" name="token" value={token} />
        <SubmitButton className="mt-1 w-full">Create my account</SubmitButton>
      </form>
    </>
  )
}
