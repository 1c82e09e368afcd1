import type { Metadata } from 'next'
import { z } from 'zod'
import { findLink } from '@/core/auth/accounts/links'
import { providerName } from '@/core/auth/oauth/configured-providers'
import { page } from '@/core/guard/page'
import { anyone } from '@/core/guard/policy'
import { Form } from '@/core/ui/form'
import { SubmitButton } from '@/core/ui/submit-button'
import { secureAccount } from '../actions'
import { InvalidLink, linkPage, linkQuery } from '../link-page'

export const metadata: Metadata = { ...linkPage, title: 'Secure your account' }

const query = linkQuery.extend({ provider: z.string().max(100).default('') })

/** Opening the page changes nothing: mail scanners open links too. */
export default page(
  {
    path: '/secure-account',
    name: 'view_secure_account',
    authorize: anyone,
    query,
    load: ({ query: { token = '' } }) => findLink('secure_account', token),
  },
  ({ query: { token = '', provider }, data: link }) => {
    if (!link) return <InvalidLink next={{ href: '/forgot', label: 'Reset your password' }} />
    return (
      <>
        <h1 className="text-2xl">Secure your account</h1>
        <p className="mt-3 text-muted">
          If you did not change the {provider ? 'linked accounts' : 'password'} of{' '}
          <strong className="font-medium break-words text-ink">{link.email}</strong>, someone else
          may have used your account.
        </p>
        <p className="mt-3 text-muted">When you secure it:</p>
        <ul className="mt-2 list-disc space-y-1 pl-5 text-muted">
          {provider && <li>The linked {providerName(provider)} account can no longer sign in.</li>}
          <li>You are signed out on all devices.</li>
          <li>You choose a new password next.</li>
        </ul>
        <Form action={secureAccount} fields={{ token, provider }} className="mt-8">
          <SubmitButton variant="danger" className="w-full">
            Secure my account
          </SubmitButton>
        </Form>
      </>
    )
  },
)
