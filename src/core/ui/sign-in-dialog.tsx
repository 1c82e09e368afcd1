'use client'

import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Button } from './button'
import { InputField } from './field'
import { Notice } from './notice'
import { PasswordField } from './password-field'
import { TextLink } from './text-link'
import { pageOwner } from './use-checked-submit'

interface SignInDialogProps {
  onSignedIn: () => void
  onClose: () => void
}

/** Signs in as the user of the page. One without a password signs in in a new tab. */
export function SignInDialog({ onSignedIn, onClose }: SignInDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [error, setError] = useState<string>()
  const [isPending, setPending] = useState(false)
  useEffect(() => {
    dialog.current?.showModal()
    dialog.current?.querySelector<HTMLInputElement>('input:not([readonly])')?.focus()
  }, [])
  const owner = pageOwner()
  const send = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = Object.fromEntries(new FormData(event.currentTarget))
    setPending(true)
    const problem = await signIn(typed)
    setPending(false)
    setError(problem)
    if (problem === undefined) onSignedIn()
  }
  return (
    <dialog ref={dialog} aria-labelledby="sign-in-title" className="dialog" onClose={onClose}>
      <h2 id="sign-in-title">Sign in and save</h2>
      <div className="dialog-body">
        <p>Your session has ended. What you typed is still here.</p>
        <form onSubmit={send}>
          {error && <Notice>{error}</Notice>}
          <InputField
            label="Email"
            name="email"
            type="email"
            autoComplete="username"
            required
            {...(owner && { value: owner, readOnly: true })}
          />
          <PasswordField
            label="Password"
            name="password"
            autoComplete="current-password"
            required
          />
          <Button type="submit" pending={isPending}>
            Sign in and save
          </Button>
        </form>
        <p className="mt-4">
          No password?{' '}
          <TextLink href="/sign-in" target="_blank">
            Sign in in a new tab
          </TextLink>
          , then save again.
        </p>
      </div>
      <Button variant="quiet" className="dialog-close" onClick={() => dialog.current?.close()}>
        Cancel
      </Button>
    </dialog>
  )
}

const failed = 'Sign-in failed. Try again.'

/** Why it failed, or undefined. */
async function signIn(typed: Record<string, FormDataEntryValue>): Promise<string | undefined> {
  try {
    const response = await fetch('/api/auth/signin', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ ...typed, redirect: false }),
    })
    return response.ok ? undefined : ((await response.json()).detail ?? failed)
  } catch {
    return failed
  }
}
