'use client'

import { type ReactNode, useActionState } from 'react'
import { type ActionResult, errorOf, typedIn } from '@/core/ui/action-result'
import { InputField } from '@/core/ui/field'
import { HiddenFields } from '@/core/ui/field-layout'
import { useFocusOnError } from '@/core/ui/form'
import { SubmitButton } from '@/core/ui/submit-button'
import { Notice } from '@/core/ui/text'
import { CheckEmail } from './check-email'

type RequestResult = ActionResult<{ email: string; again: boolean }>

interface EmailRequestFormProps {
  action: (state: RequestResult | undefined, form: FormData) => Promise<RequestResult>
  /** Sent with the form, but not shown. */
  fields: Readonly<Record<string, string>>
  title: string
  /** The introduction. */
  children: ReactNode
  button: string
  /** The instructions after the email was sent. */
  sent: ReactNode
}

export function EmailRequestForm(props: EmailRequestFormProps) {
  const { action, fields, title, children, button, sent } = props
  const [result, submit] = useActionState(action, undefined)
  const form = useFocusOnError(result)
  const error = errorOf(result, 'email')

  if (result?.ok) {
    return (
      <CheckEmail {...result.data} fields={fields} submit={submit}>
        {sent}
      </CheckEmail>
    )
  }
  return (
    <>
      <h1 className="text-2xl">{title}</h1>
      <p className="mt-3 text-muted">{children}</p>
      <form ref={form} action={submit} noValidate className="mt-8 grid gap-5">
        <HiddenFields fields={fields} />
        {result && result.code !== 'invalid' && <Notice>{result.message}</Notice>}
        <InputField
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          required
          autoFocus
          defaultValue={typedIn(result, 'email')}
          error={error}
        />
        <SubmitButton className="mt-1 w-full">{button}</SubmitButton>
      </form>
    </>
  )
}
