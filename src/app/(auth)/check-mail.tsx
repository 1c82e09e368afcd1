'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { SubmitButton } from '@/core/ui/submit-button'
import { TextLink } from '@/core/ui/text-link'

interface CheckMailProps {
  email: string
  /** It was asked for a second time. */
  again: boolean
  submit: (form: FormData) => void
  children: ReactNode
}

export function CheckMail({ email, again, submit, children }: CheckMailProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="text-2xl outline-none">
        Check your mail
      </h1>
      <p className="mt-3 text-muted">
        We have sent a message to{' '}
        <strong className="font-medium break-words text-ink">{email}</strong>. {children}
      </p>
      {process.env.NODE_ENV === 'development' && (
        <p className="mt-3 text-muted">
          While developing, it is in <TextLink href="/dev/mailbox">the mailbox</TextLink>.
        </p>
      )}
      <form action={submit} className="mt-8 border-t border-line pt-6">
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="again" value="yes" />
        <p className="mb-4 text-sm text-muted" role="status">
          {again
            ? 'Sent again. Only the newest link works.'
            : 'Nothing after a few minutes? Look among the unwanted mail, or have it sent again.'}
        </p>
        <SubmitButton variant="secondary" className="w-full">
          Send it again
        </SubmitButton>
      </form>
    </>
  )
}
