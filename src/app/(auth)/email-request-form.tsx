'use client'

import type { FormAction } from 'plinth/universal/action-result'
import { type ReactNode, useEffect, useRef } from 'react'
import { FormContext, InputField } from '@/ui/forms/field'
import { HiddenFields } from '@/ui/forms/field-layout'
import { FormErrors, useFormAction } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { TextLink } from '@/ui/text'

interface EmailRequestFormProps {
  action: FormAction<{ email: string; again: boolean }>
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
  const { form, result, submit } = useFormAction(action)
  const errors = { result, form, hidden: Object.keys(fields) }
  if (result?.ok) {
    return (
      <CheckEmail {...result.data} fields={fields} submit={submit}>
        {sent}
      </CheckEmail>
    )
  }
  return (
    <FormContext value={result}>
      <h1 className="text-2xl">{title}</h1>
      <p className="mt-3 text-muted">{children}</p>
      <form ref={form} action={submit} noValidate className="mt-8 grid gap-5">
        <HiddenFields fields={fields} />
        <FormErrors {...errors} place="top" />
        <InputField
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          required
          autoFocus
        />
        <SubmitButton className="mt-1 w-full">{button}</SubmitButton>
        <FormErrors {...errors} place="end" />
      </form>
    </FormContext>
  )
}

interface CheckEmailProps {
  email: string
  /** Whether the email was sent again. */
  again: boolean
  fields: Readonly<Record<string, string>>
  submit: (form: FormData) => void
  children: ReactNode
}

function CheckEmail({ email, again, fields, submit, children }: CheckEmailProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="text-2xl outline-none">
        Check your email
      </h1>
      <p className="mt-3 text-muted">
        We sent an email to <strong className="font-medium break-words text-ink">{email}</strong>.{' '}
        {children}
      </p>
      {process.env.NODE_ENV === 'development' && (
        <p className="mt-3 text-muted">
          In development, find it in the <TextLink href="/dev/mailbox">mailbox</TextLink>.
        </p>
      )}
      <form action={submit} className="mt-8 border-t border-line pt-6">
        <input type="hidden" name="email" value={email} />
        <HiddenFields fields={{ again: 'yes', ...fields }} />
        <p className="mb-4 text-sm text-muted" role="status">
          {again
            ? 'Email sent again. Only the newest link works.'
            : 'No email after a few minutes? Check your spam folder, or send it again.'}
        </p>
        <SubmitButton variant="secondary" className="w-full">
          Send again
        </SubmitButton>
      </form>
    </>
  )
}
