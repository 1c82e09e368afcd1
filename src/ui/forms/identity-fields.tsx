'use client'

import type { ActionError } from 'plinth/universal/action-result'
import { urlWith } from 'plinth/universal/url'
import {
  type MouseEvent,
  type RefObject,
  type SubmitEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../button'
import { keepText, pageOwner, readTyped } from '../enhancements/typed-text'
import { Notice, TextLink } from '../text'
import { FormContext, InputField } from './field'
import { PasswordField } from './password-field'

interface IdentityFieldsProps {
  result: ActionError
  /** Where `/confirm` leads back to without JavaScript. */
  page?: string | undefined
}

/** A user without a password confirms on `/confirm` and comes back to the form as it was. */
export default function IdentityFields({ result, page = '/' }: IdentityFieldsProps) {
  if (result.code === 'unauthenticated') return <SignInAgain message={result.message} />
  if (result.code === 'proof_required') return <ProveFirst result={result} page={page} />
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
        <TextLink href={confirmUrl(page)} onClick={(event) => leaveForConfirm(event)}>
          Confirm in another way
        </TextLink>
      </p>
    </div>
  )
}

/** The proof of a change is given on a page of its own, which leads back to the form as it was. */
function ProveFirst({ result: { change }, page = '/' }: IdentityFieldsProps) {
  return (
    <Notice>
      This change needs a proof that it is you.{' '}
      <TextLink href={confirmUrl(page, change)} onClick={(event) => leaveForConfirm(event, change)}>
        Confirm that it is you
      </TextLink>
    </Notice>
  )
}

function leaveForConfirm(event: MouseEvent<HTMLAnchorElement>, change?: string) {
  const form = event.currentTarget.closest('form')
  if (form) keepText('confirm', readTyped(form))
  event.currentTarget.href = confirmUrl(location.pathname + location.search, change)
}

function confirmUrl(callbackUrl: string, change?: string): string {
  return urlWith('/confirm', { change, callbackUrl })
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

interface SignInDialogProps {
  onSignedIn: () => void
  onClose: () => void
}

/** Signs in as the user of the page. One without a password signs in in a new tab. */
function SignInDialog({ onSignedIn, onClose }: SignInDialogProps) {
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

/**
 * The session of the page has ended, and another user may have signed in since, in this browser. What
 * was typed must not be saved as theirs. Returns the email of that user.
 */
function useCheckedSubmit(inForm: RefObject<HTMLElement | null>): string | undefined {
  const [otherUser, setOtherUser] = useState<string>()
  useEffect(() => {
    const form = inForm.current?.closest('form')
    let isChecked = false
    const check = async (event: globalThis.SubmitEvent) => {
      if (isChecked) {
        isChecked = false
        return
      }
      event.preventDefault()
      // React handles the event at the root.
      event.stopPropagation()
      const user = await signedInUser()
      const isOther = user !== undefined && pageOwner() !== '' && user !== pageOwner()
      setOtherUser(isOther ? user : undefined)
      if (isOther) return
      isChecked = true
      form?.requestSubmit(event.submitter)
    }
    form?.addEventListener('submit', check)
    return () => form?.removeEventListener('submit', check)
  }, [inForm])
  return otherUser
}

/** Undefined if no one is signed in, or it is not known: then the action decides. */
async function signedInUser(): Promise<string | undefined> {
  try {
    const response = await fetch('/api/auth/session')
    return response.ok ? (await response.json())?.user.email : undefined
  } catch {
    return undefined
  }
}
