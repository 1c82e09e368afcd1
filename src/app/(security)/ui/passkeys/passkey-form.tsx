'use client'

import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import type { ActionResult } from 'plinth/universal/action-result'
import { ButtonLink } from '@/ui/button'
import { InputField, useFormResult } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { ConfirmFirst } from '../confirm-first'
import { RecoveryCodes } from '../recovery-codes'
import { PasskeysOnly } from './passkey-support'
import { createPasskey } from './webauthn'

type Named = { name?: string | undefined }
type Added = { codes: readonly string[] }

interface PasskeyFormProps extends PasskeyFieldsProps {
  /** Where passkeys work. */
  origin: string
  start: (input: Named) => Promise<ActionResult<PublicKeyCredentialCreationOptionsJSON>>
  add: (input: Named & { credential: RegistrationResponseJSON }) => Promise<ActionResult<Added>>
}

/** Names and creates a passkey. Then the recovery codes. */
export function PasskeyForm({ origin, start, add, ...fields }: PasskeyFormProps) {
  const create = async (_state: unknown, form: FormData): Promise<ActionResult<Added>> => {
    const typed = { name: String(form.get('name') ?? '') }
    const name = typed.name.trim() || undefined
    const started = await start({ name })
    if (!started.ok) return { ...started, typed }
    const created = await createPasskey(started.data)
    if (!created.ok) return { ...created, typed }
    const added = await add({ credential: created.data, name })
    return added.ok ? added : { ...added, typed }
  }
  return (
    <PasskeysOnly origin={origin}>
      <Form action={create} className="max-w-md">
        <PasskeyFields {...fields} />
      </Form>
    </PasskeysOnly>
  )
}

interface PasskeyFieldsProps {
  /** The name that is suggested. */
  device: string
  /** Where to go afterwards. */
  continueTo: string
  /** Whether there is a sign-in to complete. */
  isExpected?: boolean
  /** The path of this page, if the change has to be proven first. */
  confirmAt?: string | undefined
}

function PasskeyFields(props: PasskeyFieldsProps) {
  const { device, continueTo, isExpected = true, confirmAt } = props
  const result = useFormResult() as ActionResult<Added> | undefined
  if (result?.ok && result.data.codes.length > 0) {
    return <RecoveryCodes codes={result.data.codes} continueTo={continueTo} />
  }
  if (!result && confirmAt) return <ConfirmFirst page={confirmAt} />
  if (result?.ok || !isExpected) {
    return (
      <div className="grid justify-items-start gap-4">
        <p role="status">
          {result?.ok ? 'The passkey was added.' : 'There is no passkey to set up.'}
        </p>
        <ButtonLink href={continueTo}>Continue</ButtonLink>
      </div>
    )
  }
  return (
    <>
      <p className="text-muted">
        Your device asks for your fingerprint, face or screen lock. Then the passkey signs you in
        without a password.
      </p>
      <InputField
        label="Name of the passkey"
        name="name"
        defaultValue={device}
        maxLength={100}
        autoComplete="off"
        description="So that you recognize it in the list."
      />
      <SubmitButton>Add passkey</SubmitButton>
    </>
  )
}
