'use client'

import type { AuthenticationResponseJSON } from '@simplewebauthn/browser'
import type { ActionResult } from 'plinth/universal/action-result'
import type { ReactNode } from 'react'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { PasskeysOnly } from './passkey-support'
import { getPasskey, signIn } from './webauthn'

interface PasskeyButtonProps {
  /** Where passkeys work. */
  origin: string
  callbackUrl: string
}

interface PasskeyVerifyProps extends PasskeyButtonProps {
  /** Fields of the same form. */
  children: ReactNode
}

/** The second step of a sign-in. The challenge is in a cookie. */
export function PasskeyVerify({ origin, callbackUrl, children }: PasskeyVerifyProps) {
  const send = (credential: AuthenticationResponseJSON, fields: Fields) =>
    signIn('/api/auth/signin/verify', { ...fields, method: 'passkey', credential, callbackUrl })
  return (
    <PasskeyButton origin={origin} label="Use a passkey" send={send}>
      {children}
    </PasskeyButton>
  )
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

interface PasskeyProofProps<Change extends string> extends PasskeyButtonProps {
  change: Change
  prove: (input: {
    credential: AuthenticationResponseJSON
    change: Change
    callbackUrl: string
  }) => Promise<ActionResult<unknown>>
}

export function PasskeyProof<Change extends string>(props: PasskeyProofProps<Change>) {
  const { origin, callbackUrl, change, prove } = props
  const send = (credential: AuthenticationResponseJSON) =>
    prove({ credential, change, callbackUrl })
  return <PasskeyButton origin={origin} label="Confirm with a passkey" send={send} />
}

interface PasskeyRecoveryProps extends Pick<PasskeyButtonProps, 'origin'> {
  token: string
  prove: (input: {
    credential: AuthenticationResponseJSON
    token: string
  }) => Promise<ActionResult<unknown>>
}

export function PasskeyRecovery({ origin, token, prove }: PasskeyRecoveryProps) {
  const send = (credential: AuthenticationResponseJSON) => prove({ credential, token })
  return <PasskeyButton origin={origin} label="Use a passkey" send={send} />
}

type Fields = Readonly<Record<string, string>>

interface ButtonProps {
  origin: string
  label: string
  send: (credential: AuthenticationResponseJSON, fields: Fields) => Promise<ActionResult<unknown>>
  children?: ReactNode
}

function PasskeyButton({ origin, label, send, children }: ButtonProps) {
  const ask = async (_state: unknown, form: FormData) => {
    const fields = Object.fromEntries(form) as Fields
    const found = await getPasskey()
    const result = found.ok ? await send(found.data, fields) : found
    return result.ok ? result : { ...result, typed: fields }
  }
  return (
    <PasskeysOnly origin={origin}>
      <Form action={ask}>
        {children}
        <SubmitButton className="w-full">{label}</SubmitButton>
      </Form>
    </PasskeysOnly>
  )
}
