import type { Metadata } from 'next'
import { listLinkedAccounts } from '@/core/auth/accounts/linked-accounts'
import { findLink } from '@/core/auth/accounts/links'
import { providerName } from '@/core/auth/oauth/configured-providers'
import { hasPassword } from '@/core/auth/passwords/user-password'
import { page } from '@/core/guard/page'
import { anyone } from '@/core/guard/policy'
import { callbackFields, withCallbackUrl } from '../callback-url'
import { InvalidLink } from '../invalid-link'
import { linkPage, linkQuery } from '../link-page'
import { ResetForm } from './reset-form'

export const metadata: Metadata = { ...linkPage, title: 'Choose a new password' }

/** Does not use up the link: mail scanners open links too. */
export default page(
  {
    path: '/reset',
    name: 'view_reset',
    authorize: anyone,
    query: linkQuery,
    load: ({ query: { token = '' } }) => findReset(token),
  },
  ({ query: { token = '', callbackUrl }, data: reset }) => {
    const newLink = { href: withCallbackUrl('/forgot', callbackUrl), label: 'Get a new link' }
    if (!reset) return <InvalidLink next={newLink} />
    return <ResetForm fields={{ token, ...callbackFields(callbackUrl) }} {...reset} />
  },
)

async function findReset(token: string) {
  const link = await findLink('reset_password', token)
  if (!link?.userId) return undefined
  const [linked, isReset] = await Promise.all([
    listLinkedAccounts(link.userId),
    hasPassword(link.userId),
  ])
  const accounts = linked.map(({ provider, linkedAt }) => ({
    provider,
    name: providerName(provider),
    linkedAt,
  }))
  // A user without a password wants one besides the account that they sign in with.
  return { email: link.email, accounts, keepByDefault: !isReset }
}
