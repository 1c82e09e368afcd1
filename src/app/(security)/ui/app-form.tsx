'use client'

import type { ActionResult, FormAction } from 'plinth/universal/action-result'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/ui/button'
import { InputField, useFormResult } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { ConfirmFirst } from './confirm-first'
import { RecoveryCodes } from './recovery-codes'

interface AppFormProps {
  confirm: FormAction
  /** Where to go afterwards. */
  continueTo: string
  /** The path of this page. */
  page: string
  /** Whether the change is proven. At sign-in it always is. */
  isProven?: boolean
  /** The QR code. Undefined if there is no secret to confirm. */
  children: ReactNode
}

/** The first code, which proves that the app has the secret. Then the recovery codes. */
export function AppForm(props: AppFormProps) {
  const { confirm, continueTo, page, isProven = true, children } = props
  return (
    <Form action={confirm} permalink={page} className="max-w-md">
      <AppFields continueTo={continueTo} confirmAt={isProven ? undefined : page}>
        {children}
      </AppFields>
    </Form>
  )
}

interface AppFieldsProps extends Pick<AppFormProps, 'continueTo' | 'children'> {
  /** The path of this page, if the change has to be proven first. */
  confirmAt: string | undefined
}

function AppFields({ continueTo, confirmAt, children }: AppFieldsProps) {
  const result = useFormResult() as ActionResult<{ codes: readonly string[] }> | undefined
  if (result?.ok && result.data.codes.length > 0) {
    return <RecoveryCodes codes={result.data.codes} continueTo={continueTo} />
  }
  if (confirmAt && !children && !result?.ok) return <ConfirmFirst page={confirmAt} />
  if (result?.ok || !children) {
    return (
      <div className="grid justify-items-start gap-4">
        <p role="status">
          {result?.ok ? 'The authenticator app was added.' : 'There is no app to set up.'}
        </p>
        <ButtonLink href={continueTo}>Continue</ButtonLink>
      </div>
    )
  }
  return (
    <>
      {children}
      <InputField
        label="Code from the app"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        maxLength={20}
      />
      <SubmitButton>Add authenticator app</SubmitButton>
    </>
  )
}
