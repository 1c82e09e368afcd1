'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { HiddenFields } from '@/core/ui/field-layout'
import { SubmitButton } from '@/core/ui/submit-button'
import { TextLink } from '@/core/ui/text'

interface CheckEmailProps {
  email: string
  /** Whether the email was sent again. */
  again: boolean
  fields: Readonly<Record<string, string>>
  submit: (form: FormData) => void
  children: ReactNode
}

export function CheckEmail({ email, again, fields, submit, children }: CheckEmailProps) {
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
