'use client'

import { type RefObject, useEffect, useState } from 'react'

/** The email of the user whom the page was made for. */
export function pageOwner(): string {
  return document.querySelector('[data-user="email"]')?.textContent ?? ''
}

/**
 * The session of the page has ended, and another user may have signed in since, in this browser. What
 * was typed must not be saved as theirs. Returns the email of that user.
 */
export function useCheckedSubmit(inForm: RefObject<HTMLElement | null>): string | undefined {
  const [otherUser, setOtherUser] = useState<string>()
  useEffect(() => {
    const form = inForm.current?.closest('form')
    let isChecked = false
    const check = async (event: SubmitEvent) => {
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
