import type { Metadata } from 'next'
import { z } from 'zod'
import { listLinkedAccounts } from '@/core/auth/accounts/linked-accounts'
import { configuredProviders } from '@/core/auth/oauth/configured-providers'
import { hasPassword } from '@/core/auth/passwords/user-password'
import { env } from '@/core/config/env'
import { page } from '@/core/guard/page'
import { isSignedIn, type SignedInScope } from '@/core/guard/policy'
import { callbackUrlOrHome } from '@/core/http/origin'
import { problemDetail } from '@/core/http/problems'
import { confirmMethodsFor } from '@/core/layout/installed-modules'
import { Notice, TextLink } from '@/core/ui/text'
import { withCallbackUrl } from '../callback-url'
import { ProviderButtons } from '../sign-in/provider-buttons'
import { ConfirmForm } from './confirm-form'
import { ConfirmLinks } from './confirm-links'

export const metadata: Metadata = { title: 'Confirm that it is you' }

const query = z.object({ callbackUrl: z.string().optional(), error: z.string().optional() })

export default page(
  {
    path: '/confirm',
    name: 'view_confirm',
    authorize: isSignedIn,
    query,
    load: ({ scope }) => findMethods(scope),
  },
  ({ scope, query: { callbackUrl, error }, data: { password, providers, links } }) => {
    const next = callbackUrlOrHome(callbackUrl, env().AUTH_URL)
    const message = problemDetail(error)
    return (
      <>
        <h1 className="text-2xl">Confirm that it is you</h1>
        <p className="mt-3 text-muted">
          You are about to change or download something important, and you signed in a while ago.
        </p>
        {message && (
          <div className="mt-6">
            <Notice>{message}</Notice>
          </div>
        )}
        {password && <ConfirmForm email={scope.session.user.email} callbackUrl={next} />}
        <ProviderButtons providers={providers} callbackUrl={next} />
        <ConfirmLinks links={links} callbackUrl={next} />
        <p className="mt-6 text-sm text-muted">
          {password || providers.length > 0 || links.length > 0
            ? 'Forgot your password?'
            : 'Your account has no password and no provider that is available here.'}{' '}
          <TextLink href={withCallbackUrl('/forgot', next)}>Get a link by email</TextLink>
        </p>
      </>
    )
  },
)

/** Only linked providers: another one would not prove who the user is. */
async function findMethods(scope: SignedInScope) {
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
