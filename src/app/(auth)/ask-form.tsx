'use client'

import { type ReactNode, useActionState } from 'react'
import { type ActionResult, errorOf, typedIn } from '@/core/guard/action-result'
import { InputField } from '@/core/ui/field'
import { Notice } from '@/core/ui/notice'
import { SubmitButton } from '@/core/ui/submit-button'
import { useFocusOnRefusal } from '@/core/ui/use-focus-on-refusal'
import { CheckMail } from './check-mail'

type Asked = ActionResult<{ email: string; again: boolean }>

interface AskFormProps {
  ask: (before: Asked | undefined, form: FormData) => Promise<Asked>
  title: string
  /** What will happen. */
  children: ReactNode
  button: string
  /** What to do with the message, once it is sent. */
  sent: ReactNode
}

/** Takes an address that mail is to be sent to. */
export function AskForm({ ask, title, children, button, sent }: AskFormProps) {
  const [result, submit] = useActionState(ask, undefined)
  const form = useFocusOnRefusal(result)
  const error = errorOf(result, 'email')

  if (result?.ok) {
    return (
      <CheckMail {...result.data} submit={submit}>
        {sent}
      </CheckMail>
    )
  }
  return (
    <>
      <h1 className="text-2xl">{title}</h1>
      <p className="mt-3 text-muted">{children}</p>
      <form ref={form} action={submit} noValidate className="mt-8 grid gap-5">
        {result && result.code !== 'invalid' && <Notice>{result.message}</Notice>}
        <InputField
          label="E-mail"
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
