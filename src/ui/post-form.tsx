'use client'

import { type ComponentProps, type SubmitEvent, useEffect, useState } from 'react'
import { Button } from './button'

interface PostFormProps extends Omit<ComponentProps<'form'>, 'method' | 'onSubmit'> {
  /** An endpoint of the HTTP API. */
  action: string
  button: Pick<ComponentProps<typeof Button>, 'variant' | 'className' | 'size'>
  submitLabel: string
}

/** A plain form, which works without JavaScript. With it, a second click does not post again. */
export function PostForm({ button, submitLabel, children, ...form }: PostFormProps) {
  const [isSent, setSent] = useState(false)
  useEffect(() => {
    // The back/forward cache shows the page as it was left.
    const restore = () => setSent(false)
    addEventListener('pageshow', restore)
    return () => removeEventListener('pageshow', restore)
  }, [])
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    if (isSent) event.preventDefault()
    else setSent(true)
  }
  return (
    <form {...form} method="post" onSubmit={send}>
      {children}
      <Button {...button} type="submit" pending={isSent}>
        {submitLabel}
      </Button>
    </form>
  )
}
