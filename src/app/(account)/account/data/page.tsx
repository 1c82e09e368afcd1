import type { Metadata } from 'next'
import { hasPassword } from '@/core/auth/passwords/user-password'
import { page } from '@/core/guard/page'
import { ButtonLink } from '@/core/ui/button'
import { Section } from '@/core/ui/page-parts'
import { deleteAccount } from '../../actions'
import { mayUseAccount } from '../../policy'
import { DeleteForm } from '../../ui/delete-form'
import { AccountLayout } from '../account-layout'

export const metadata: Metadata = { title: 'Data · Account' }

export default page(
  {
    name: 'view_account_data',
    path: '/account/data',
    renderCache: true,
    authorize: mayUseAccount,
    load: ({ scope }) => hasPassword(scope.session.user.id),
  },
  ({ scope, data: hasPassword }) => (
    <AccountLayout current="/account/data">
      <Section title="Your data" lead="Download everything stored about you as a JSON file.">
        <ButtonLink href="/api/account/data.json" variant="secondary">
          Download data
        </ButtonLink>
      </Section>
      <Section title="Delete account" lead="This is permanent.">
        <DeleteForm
          remove={deleteAccount}
          email={scope.session.user.email}
          hasPassword={hasPassword}
        />
      </Section>
    </AccountLayout>
  ),
)
