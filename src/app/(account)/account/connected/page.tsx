import type { Metadata } from 'next'
import { page } from 'plinth/guard/page'
import { problemDetail } from 'plinth/http/problems'
import { z } from 'zod'
import { EmptyState, Section } from '@/ui/page-parts'
import { Notice } from '@/ui/text'
import { unlinkAccount } from '../../actions'
import { findSignInMethods } from '../../data/sign-in-methods'
import { mayUseAccount } from '../../policy'
import { ProviderList } from '../../ui/provider-list'
import { AccountLayout } from '../account-layout'

export const metadata: Metadata = { title: 'Connected accounts · Account' }

const query = z.object({ error: z.string().optional(), unlink: z.string().optional() })

export default page(
  {
    name: 'view_connected_accounts',
    path: '/account/connected',
    renderCache: true,
    authorize: mayUseAccount,
    query,
    load: ({ scope }) => findSignInMethods(scope),
  },
  ({ query, data: { providers } }) => {
    const error = problemDetail(query.error)
    return (
      <AccountLayout current="/account/connected">
        {error && (
          <div className="mb-6">
            <Notice>{error}</Notice>
          </div>
        )}
        <Section title="Sign-in methods" lead="Accounts that you can use to sign in.">
          {providers.length > 0 ? (
            <ProviderList
              providers={providers}
              unlink={unlinkAccount}
              selected={query.unlink}
              href="/account/connected"
            />
          ) : (
            <EmptyState title="No providers are set up." />
          )}
        </Section>
      </AccountLayout>
    )
  },
)
