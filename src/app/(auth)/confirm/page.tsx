import type { Metadata } from 'next'
import { changes, changeTexts } from 'plinth/auth/accounts/change-proofs'
import { listLinkedAccounts } from 'plinth/auth/accounts/linked-accounts'
import { configuredProviders } from 'plinth/auth/oauth/configured-providers'
import { hasPassword } from 'plinth/auth/passwords/user-password'
import { env } from 'plinth/config/env'
import { page } from 'plinth/guard/page'
import { isSignedIn, type SignedInScope } from 'plinth/guard/policy'
import { callbackUrlOrHome } from 'plinth/http/headers'
import { problemDetail } from 'plinth/http/problems'
import { confirmMethodsFor } from 'plinth/modules/installed-modules'
import { z } from 'zod'
import { ButtonLink } from '@/ui/button'
import { Form } from '@/ui/forms/form'
import { PasswordField } from '@/ui/forms/password-field'
import { SubmitButton } from '@/ui/forms/submit-button'
import { Notice, TextLink } from '@/ui/text'
import { confirmIdentity } from '../actions'
import { withCallbackUrl } from '../callback-url'
import { EmailField } from '../link-page'
import { ProviderButtons } from '../sign-in/sign-in-parts'
import { findMissingProof, ProveChange } from './prove-change'

export const metadata: Metadata = { title: 'Confirm that it is you' }

const query = z.object({
  callbackUrl: z.string().optional(),
  error: z.string().optional(),
  /** The change that needs a proof of its own. */
  change: z.enum(changes).optional(),
  /** For a change: with a recovery code, although there is a factor. */
  with: z.literal('recovery_code').optional(),
  /** A code was sent by mail. */
  sent: z.literal('yes').optional(),
})

export default page(
  {
    path: '/confirm',
    name: 'view_confirm',
    authorize: isSignedIn,
    query,
    load: async ({ scope, query }) => ({
      methods: await findMethods(scope),
      missing: query.change && (await findMissingProof(scope, { ...query, change: query.change })),
    }),
  },
  ({ scope, query, data: { methods, missing } }) => {
    const { email } = scope.session.user
    const next = callbackUrlOrHome(query.callbackUrl, env().AUTH_URL)
    const message = problemDetail(query.error)
    const given = { email, callbackUrl: next, providers: methods.providers }
    return (
      <>
        <h1 className="text-2xl">Confirm that it is you</h1>
        <p className="mt-3 text-muted">
          {query.change
            ? `To ${changeTexts[query.change]}, being signed in is not enough. This keeps your account safe if someone else uses your session.`
            : 'You are about to change or download something important, and you signed in a while ago.'}
        </p>
        {message && (
          <div className="mt-6">
            <Notice>{message}</Notice>
          </div>
        )}
        {query.change && missing ? (
          <ProveChange {...given} change={query.change} missing={missing} isSent={!!query.sent} />
        ) : (
          <ConfirmRecent {...given} {...methods} />
        )}
      </>
    )
  },
)

interface ConfirmRecentProps extends ConfirmFormProps, Methods {}

/** Renews the sign-in, for whatever needs a recent one. */
function ConfirmRecent({ email, callbackUrl, password, providers, links }: ConfirmRecentProps) {
  return (
    <>
      {password && <ConfirmForm email={email} callbackUrl={callbackUrl} />}
      <ProviderButtons providers={providers} callbackUrl={callbackUrl} />
      <ConfirmLinks links={links} callbackUrl={callbackUrl} />
      <p className="mt-6 text-sm text-muted">
        {password || providers.length > 0 || links.length > 0
          ? 'Forgot your password?'
          : 'Your account has no password and no provider that is available here.'}{' '}
        <TextLink href={withCallbackUrl('/forgot', callbackUrl)}>Get a link by email</TextLink>
      </p>
    </>
  )
}

type Methods = {
  password: boolean
  providers: readonly { id: string; name: string }[]
  links: readonly { href: string; label: string }[]
}

/** Only linked providers: another one would not prove who the user is. */
async function findMethods(scope: SignedInScope): Promise<Methods> {
  const { id } = scope.session.user
  const [password, linked, links] = await Promise.all([
    hasPassword(id),
    listLinkedAccounts(id),
    confirmMethodsFor(scope),
  ])
  const isUsable = (provider: string) => linked.some((account) => account.provider === provider)
  const providers = configuredProviders(env())
    .filter((provider) => isUsable(provider.id))
    .map(({ id, name }) => ({ id, name }))
  return { password, providers, links }
}

interface ConfirmFormProps {
  email: string
  callbackUrl: string
}

function ConfirmForm({ email, callbackUrl }: ConfirmFormProps) {
  return (
    <Form action={confirmIdentity} fields={{ callbackUrl }} className="mt-8">
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
  )
}

interface ConfirmLinksProps {
  links: readonly { href: string; label: string }[]
  callbackUrl: string
}

/** The pages of modules that confirm a user in another way. */
function ConfirmLinks({ links, callbackUrl }: ConfirmLinksProps) {
  if (links.length === 0) return null
  return (
    <div className="mt-6 grid gap-3 border-t border-line pt-6">
      {links.map(({ href, label }) => (
        <ButtonLink
          key={href}
          href={`${href}?${new URLSearchParams({ callbackUrl })}`}
          variant="secondary"
          className="w-full"
        >
          {label}
        </ButtonLink>
      ))}
    </div>
  )
}
