'use client'

import { type MouseEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ActionError } from './action-result'
import { FormContext } from './form-result'
import { PasswordField } from './password-field'
import { SignInDialog, useCheckedSubmit } from './sign-in-dialog'
import { Notice, TextLink } from './text'
import { keepText, pageOwner, readTyped } from './typed-text'

interface IdentityFieldsProps {
  result: ActionError
  /** Where `/confirm` leads back to without JavaScript. */
  page?: string | undefined
}

/** A user without a password confirms on `/confirm` and comes back to the form as it was. */
export default function IdentityFields({ result, page = '/' }: IdentityFieldsProps) {
  if (result.code === 'unauthenticated') return <SignInAgain message={result.message} />
  return (
    <div className="grid gap-3 rounded-md border border-line bg-sunken p-4 text-left">
      <p role="alert" className="text-sm font-medium text-ink">
        You signed in a while ago. Confirm that it is you.
      </p>
      <PasswordField
        label="Your password"
        name="currentPassword"
        autoComplete="current-password"
        required
        error={result.errors?.find(({ field }) => field === 'currentPassword')?.message}
        autoFocus
      />
      <p className="text-sm text-muted">
        No password?{' '}
        <TextLink href={confirmUrl(page)} onClick={leaveForConfirm}>
          Confirm with a linked account
        </TextLink>
      </p>
    </div>
  )
}

function leaveForConfirm(event: MouseEvent<HTMLAnchorElement>) {
  const form = event.currentTarget.closest('form')
  if (form) keepText('confirm', readTyped(form))
  event.currentTarget.href = confirmUrl(location.pathname + location.search)
}

function confirmUrl(callbackUrl: string): string {
  return `/confirm?${new URLSearchParams({ callbackUrl })}`
}

/** A link that opens sign-in in a new tab; with JavaScript, a dialog that then sends the form. */
function SignInAgain({ message }: { message: string }) {
  const link = useRef<HTMLAnchorElement>(null)
  const [isOpen, setOpen] = useState(false)
  const otherUser = useCheckedSubmit(link)
  const open = (event: MouseEvent) => {
    event.preventDefault()
    setOpen(true)
  }
  const sendForm = () => {
    setOpen(false)
    link.current?.closest('form')?.requestSubmit()
  }
  return (
    <Notice>
      {message}{' '}
      <a
        ref={link}
        href="/sign-in"
        target="_blank"
        className="underline"
        onClick={open}
        rel="noopener"
      >
        Sign in
      </a>
      {otherUser && (
        <p className="mt-2">
          You are signed in as <bdi>{otherUser}</bdi> now. This form belongs to{' '}
          <bdi>{pageOwner()}</bdi>. Nothing was saved.
        </p>
      )}
      {isOpen &&
        // Not inside the form, which cannot contain another one.
        createPortal(
          <FormContext value={undefined}>
            <SignInDialog onSignedIn={sendForm} onClose={() => setOpen(false)} />
          </FormContext>,
          document.body,
        )}
    </Notice>
  )
}
