'use client'

import type { MouseEvent } from 'react'
import type { ActionError } from './action-result'
import { PasswordField } from './password-field'
import { SignInAgain } from './sign-in-again'
import { TextLink } from './text-link'
import { keepText, readTyped } from './typed-text'

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
