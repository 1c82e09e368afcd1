import { recoveryFactorPage } from 'plinth/auth/accounts/change-proofs'
import { configuredProviders } from 'plinth/auth/oauth/configured-providers'
import { env } from 'plinth/config/env'
import type { RecoveryView } from 'plinth/recovery/view'
import { urlWith } from 'plinth/universal/url'
import { Button, ButtonLink } from '@/ui/button'
import { Form } from '@/ui/forms/form'
import { PasswordField } from '@/ui/forms/password-field'
import { SubmitButton } from '@/ui/forms/submit-button'
import { Notice } from '@/ui/text'
import { proveRecoveryPassword } from './actions'

interface ProofFormsProps {
  token: string
  view: RecoveryView
  /** Why the sign-in with a provider proved nothing. */
  error?: string | undefined
}

/** Only methods that the account had before the changes. */
export function ProofForms({ token, view, error }: ProofFormsProps) {
  const { provable, state } = view
  const isReady = state === 'ready'
  if (isReady && provable.length === 0) return null
  return (
    <section className="mt-8 border-t border-line pt-6">
      <h2 className="text-lg">{isReady ? 'Add another proof' : 'Prove that it is yours'}</h2>
      {isReady && <p className="mt-2 text-muted">{reasons[factorOf(view)]}</p>}
      {error && (
        <div className="mt-4">
          <Notice>{error}</Notice>
        </div>
      )}
      {provable.length === 0 && (
        <p className="mt-2 text-muted">The account had nothing else that could be a proof.</p>
      )}
      {provable.some(({ kind }) => kind === 'password') && <PasswordProof token={token} />}
      <OtherProofs token={token} view={view} />
    </section>
  )
}

const reasons = {
  asked:
    'Your account has a second factor, which we ask for afterwards. If you have lost it, use a recovery code now: all codes end when you go on.',
  given: 'An authenticator app, a passkey or a linked account lets you choose more.',
}

/** Whether a factor is asked for at the end, because none was given. */
function factorOf({ provable, hasProvedFactor }: RecoveryView): keyof typeof reasons {
  const hasFactor = provable.some(({ kind }) => kind === 'app' || kind === 'passkey')
  return hasFactor && !hasProvedFactor ? 'asked' : 'given'
}

function PasswordProof({ token }: { token: string }) {
  return (
    <Form action={proveRecoveryPassword} fields={{ token }} className="mt-4">
      <PasswordField
        label="Password before the changes"
        name="currentPassword"
        autoComplete="current-password"
        required
      />
      <SubmitButton variant="secondary" className="w-full">
        Check the password
      </SubmitButton>
    </Form>
  )
}

const factorLabels = {
  app: 'Use your authenticator app',
  passkey: 'Use a passkey',
  codes: 'Use a recovery code',
} as const

const factorKinds = Object.keys(factorLabels) as (keyof typeof factorLabels)[]

/** The page of the module that has the factors, and plain forms: both work without JavaScript. */
function OtherProofs({ token, view: { provable } }: Omit<ProofFormsProps, 'error'>) {
  const page = recoveryFactorPage()
  const factors = factorKinds.filter((kind) => page && provable.some((one) => one.kind === kind))
  const providers = configuredProviders(env()).filter(({ id }) =>
    provable.some(({ kind, name }) => kind === 'provider' && name === id),
  )
  if (factors.length + providers.length === 0) return null
  return (
    <div className="mt-6 grid gap-3">
      {factors.map((kind) => (
        <ButtonLink
          key={kind}
          href={urlWith(page ?? '', { token, method: kind })}
          variant="secondary"
          className="w-full"
        >
          {factorLabels[kind]}
        </ButtonLink>
      ))}
      {providers.map(({ id, name }) => (
        <form key={id} method="post" action={`/api/auth/signin/${id}`}>
          <input type="hidden" name="recovery" value={token} />
          <Button type="submit" variant="secondary" className="w-full">
            Sign in with {name}
          </Button>
        </form>
      ))}
    </div>
  )
}
