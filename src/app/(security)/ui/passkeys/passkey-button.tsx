'use client'

import type { AuthenticationResponseJSON } from '@simplewebauthn/browser'
import type { ActionResult } from '@/core/ui/action-result'
import { Form } from '@/core/ui/form'
import { SubmitButton } from '@/core/ui/submit-button'
import { PasskeysOnly } from './passkey-support'
import { getPasskey, signIn } from './webauthn'

interface PasskeyButtonProps {
  /** Where passkeys work. */
  origin: string
  callbackUrl: string
}

/** The second step of a sign-in. The challenge is in a cookie. */
export function PasskeyVerify({ origin, callbackUrl }: PasskeyButtonProps) {
  const send = (credential: AuthenticationResponseJSON) =>
    signIn('/api/auth/signin/verify', { method: 'passkey', credential, callbackUrl })
  return <PasskeyButton origin={origin} label="Use a passkey" send={send} />
}

interface PasskeyConfirmProps extends PasskeyButtonProps {
  confirm: (input: {
    credential: AuthenticationResponseJSON
    callbackUrl: string
  }) => Promise<ActionResult<unknown>>
}

export function PasskeyConfirm({ origin, callbackUrl, confirm }: PasskeyConfirmProps) {
  const send = (credential: AuthenticationResponseJSON) => confirm({ credential, callbackUrl })
  return <PasskeyButton origin={origin} label="Confirm with a passkey" send={send} />
}

interface ButtonProps {
  origin: string
  label: string
  send: (credential: AuthenticationResponseJSON) => Promise<ActionResult<unknown>>
}

function PasskeyButton({ origin, label, send }: ButtonProps) {
  const ask = async () => {
    const found = await getPasskey()
    return found.ok ? send(found.data) : found
  }
  return (
    <PasskeysOnly origin={origin}>
      <Form action={ask}>
        <SubmitButton className="w-full">{label}</SubmitButton>
      </Form>
    </PasskeysOnly>
  )
}
