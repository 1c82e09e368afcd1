'use client'

import type { ReactNode } from 'react'
import type { ActionResult, FormAction } from '@/core/ui/action-result'
import { ButtonLink } from '@/core/ui/button'
import { InputField, useFormResult } from '@/core/ui/field'
import { Form } from '@/core/ui/form'
import { SubmitButton } from '@/core/ui/submit-button'
import { RecoveryCodes } from './recovery-codes'

interface AppFormProps {
  confirm: FormAction
  /** Where to go afterwards. */
  continueTo: string
  /** The path of this page. */
  page: string
  /** The QR code. Undefined if there is no secret to confirm. */
  children: ReactNode
}

/** The first code, which proves that the app has the secret. Then the recovery codes. */
export function AppForm({ confirm, continueTo, page, children }: AppFormProps) {
  return (
    <Form action={confirm} permalink={page} className="max-w-md">
      <AppFields continueTo={continueTo}>{children}</AppFields>
    </Form>
  )
}

type AppFieldsProps = Pick<AppFormProps, 'continueTo' | 'children'>

function AppFields({ continueTo, children }: AppFieldsProps) {
  const result = useFormResult() as ActionResult<{ codes: readonly string[] }> | undefined
  if (result?.ok && result.data.codes.length > 0) {
    return <RecoveryCodes codes={result.data.codes} continueTo={continueTo} />
  }
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
