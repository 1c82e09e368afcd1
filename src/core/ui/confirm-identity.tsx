'use client'

import type { MouseEvent } from 'react'
import type { ActionResult } from './action-result'
import { InputField } from './field'
import { keepTyped } from './kept-text'
import { TextLink } from './text-link'

interface ConfirmIdentityProps {
  result: ActionResult<unknown> | undefined
  /** Where `/confirm` leads back to without JavaScript. */
  page?: string | undefined
}

/**
 * Asks for the password inside a form whose action needs a recent sign-in, so that nothing typed is
 * lost. A user without a password confirms on `/confirm` and comes back to the form as it was.
 */
export function ConfirmIdentity({ result, page = '/' }: ConfirmIdentityProps) {
  if (result?.ok !== false || result.code !== 'reauthentication_required') return null
  return (
    <div className="grid gap-3 rounded-md border border-line bg-sunken p-4 text-left">
      <p role="alert" className="text-sm font-medium text-ink">
        You signed in a while ago. Confirm that it is you.
      </p>
      <InputField
        label="Your password"
        name="currentPassword"
        type="password"
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
  if (form) keepTyped(form)
  event.currentTarget.href = confirmUrl(location.pathname + location.search)
}

function confirmUrl(callbackUrl: string): string {
  return `/confirm?${new URLSearchParams({ callbackUrl })}`
}
