import { redirect } from 'next/navigation'
import {
  type Change,
  factorPage,
  firstProof,
  hasProof,
  type ProofKind,
} from 'plinth/auth/accounts/change-proofs'
import { mailCodeMinutes } from 'plinth/auth/accounts/mail-codes'
import { env } from 'plinth/config/env'
import { findConfirmation, urlAfterProof } from 'plinth/guard/change-proof'
import type { SignedInScope } from 'plinth/guard/policy'
import { callbackUrlOrHome } from 'plinth/http/headers'
import { urlWith } from 'plinth/universal/url'
import { InputField } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { PasswordField } from '@/ui/forms/password-field'
import { SubmitButton } from '@/ui/forms/submit-button'
import { TextLink } from '@/ui/text'
import { withCallbackUrl } from '../callback-url'
import { EmailField } from '../link-page'
import { ProviderButtons } from '../sign-in/sign-in-parts'
import { proveWithMailCode, proveWithPassword, sendChangeCode } from './actions'

type Requested = {
  change: Change
  callbackUrl?: string | undefined
  with?: 'recovery_code' | undefined
}

export type MissingProof = {
  kind: ProofKind
  /** With a factor, which can be used instead. Otherwise a recovery code follows. */
  factorUrl: string | undefined
}

/**
 * The next part of the first proof. Leads on to the page of the factors for users who have one, and
 * back to the change if it is proven.
 */
export async function findMissingProof(
  scope: SignedInScope,
  { change, callbackUrl: requested, with: method }: Requested,
): Promise<MissingProof> {
  const callbackUrl = callbackUrlOrHome(requested, env().AUTH_URL)
  const confirmation = await findConfirmation(scope, change)
  const { means, given } = confirmation
  const next = urlAfterProof(confirmation, change, callbackUrl)
  if (next) redirect(next)
  const page = means.factors.length > 0 ? factorPage() : undefined
  const factorUrl = page && urlWith(page, { change, callbackUrl })
  if (factorUrl && method === undefined && given.length === 0) redirect(factorUrl)
  const kind = firstProof(means).find((kind) => !hasProof(means, given, kind)) ?? 'mail_code'
  return { kind, factorUrl }
}

interface ProveChangeProps {
  change: Change
  missing: MissingProof
  email: string
  callbackUrl: string
  providers: readonly { id: string; name: string }[]
  /** A code was sent by mail. */
  isSent: boolean
}

/** One proof at a time. */
export function ProveChange(props: ProveChangeProps) {
  const { change, missing, email, callbackUrl, providers, isSent } = props
  const { kind, factorUrl } = missing
  const page = urlWith('/confirm', { change, callbackUrl, with: 'recovery_code' })
  const given = { email, fields: { change, callbackUrl }, page }
  return (
    <>
      {factorUrl && (
        <p className="mt-3 text-muted">
          After this you enter a recovery code.{' '}
          <TextLink href={factorUrl}>Use your authenticator app or a passkey instead</TextLink>
        </p>
      )}
      {kind === 'password' && <PasswordProof {...given} />}
      {kind === 'provider' && (
        <>
          <p className="mt-3 text-muted">
            Sign in with a provider of your account again. Then we send you a code by email.
          </p>
          <ProviderButtons providers={providers} callbackUrl={page} change={change} />
        </>
      )}
      {kind === 'mail_code' && <MailCodeProof {...given} isSent={isSent} />}
    </>
  )
}

interface ProofProps {
  email: string
  fields: { change: string; callbackUrl: string }
  /** The URL of this page. */
  page: string
}

function PasswordProof({ email, fields, page }: ProofProps) {
  return (
    <>
      <Form action={proveWithPassword} fields={fields} permalink={page} className="mt-8">
        <EmailField email={email} />
        <PasswordField
          label="Password"
          name="currentPassword"
          autoComplete="current-password"
          required
          autoFocus
        />
        <SubmitButton className="mt-1 w-full">Confirm</SubmitButton>
      </Form>
      <p className="mt-6 text-sm text-muted">
        Forgot your password?{' '}
        <TextLink href={withCallbackUrl('/forgot', fields.callbackUrl)}>
          Get a link by email
        </TextLink>
      </p>
    </>
  )
}

function MailCodeProof({ email, fields, page, isSent }: ProofProps & { isSent: boolean }) {
  return (
    <>
      <p className="mt-3 break-words text-muted">
        {isSent ? 'We sent a code to ' : 'We send a code to '}
        <strong className="font-medium text-ink">{email}</strong>. It expires in {mailCodeMinutes}{' '}
        minutes.
      </p>
      {isSent && process.env.NODE_ENV === 'development' && (
        <p className="mt-3 text-muted">
          In development, find it in the <TextLink href="/dev/mailbox">mailbox</TextLink>.
        </p>
      )}
      {isSent && (
        <Form
          action={proveWithMailCode}
          fields={fields}
          permalink={`${page}&sent=yes`}
          className="mt-8"
        >
          <InputField
            label="Code"
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            required
            autoFocus
            maxLength={20}
            description="Eight letters and digits."
          />
          <SubmitButton className="mt-1 w-full">Confirm</SubmitButton>
        </Form>
      )}
      <Form action={sendChangeCode} fields={fields} permalink={page} className="mt-8">
        {isSent && (
          <p className="border-t border-line pt-6 text-sm text-muted">
            No email after a few minutes? Check your spam folder, or send it again.
          </p>
        )}
        <SubmitButton variant={isSent ? 'secondary' : 'primary'} className="w-full">
          {isSent ? 'Send again' : 'Send code'}
        </SubmitButton>
      </Form>
    </>
  )
}
