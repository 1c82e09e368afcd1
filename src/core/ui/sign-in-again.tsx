'use client'

import { type MouseEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { FormContext } from './form-result'
import { Notice } from './notice'
import { SignInDialog } from './sign-in-dialog'
import { pageOwner, useCheckedSubmit } from './use-checked-submit'

/** A link that opens sign-in in a new tab; with JavaScript, a dialog that then sends the form. */
export function SignInAgain({ message }: { message: string }) {
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
