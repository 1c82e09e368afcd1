'use client'

import type { AuthenticationResponseJSON } from '@simplewebauthn/browser'
import { useEffect, useRef } from 'react'
import { Button } from '@/ui/button'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { type Autofill, offerPasskeys } from './autofill'
import { usePasskeySupport } from './passkey-support'
import { getPasskey, signIn } from './webauthn'

interface PasskeySignInProps {
  /** Where passkeys work. */
  origin: string
  callbackUrl: string
}

const label = 'Sign in with a passkey'

/** For the sign-in page: a button, and passkeys in the email field. */
export default function PasskeySignIn({ origin, callbackUrl }: PasskeySignInProps) {
  const support = usePasskeySupport(origin)
  if (support === undefined) {
    // Keeps the place. Without JavaScript it would do nothing, so it is hidden.
    return (
      <Button variant="secondary" className="invisible w-full noscript:hidden" disabled>
        {label}
      </Button>
    )
  }
  return support === 'supported' ? <SignInForm callbackUrl={callbackUrl} /> : null
}

function SignInForm({ callbackUrl }: Pick<PasskeySignInProps, 'callbackUrl'>) {
  const box = useRef<HTMLDivElement>(null)
  const autofill = useRef<Autofill>(undefined)
  const chosen = useRef<AuthenticationResponseJSON>(undefined)
  useEffect(() => {
    autofill.current = offerPasskeys((credential) => {
      chosen.current = credential
      box.current?.querySelector('form')?.requestSubmit()
    })
    return () => autofill.current?.remove()
  }, [])
  const send = async () => {
    const filled = chosen.current
    chosen.current = undefined
    if (!filled) autofill.current?.stop()
    const found = filled ? ({ ok: true, data: filled } as const) : await getPasskey()
    if (!found.ok) return found
    return signIn('/api/auth/passkeys/verify', { credential: found.data, callbackUrl })
  }
  return (
    <div ref={box}>
      <Form action={send}>
        <SubmitButton variant="secondary" className="w-full">
          {label}
        </SubmitButton>
      </Form>
    </div>
  )
}
