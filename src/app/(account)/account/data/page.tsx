import type { Metadata } from 'next'
import { findConfirmation } from 'plinth/guard/change-proof'
import { page } from 'plinth/guard/page'
import type { SignedInScope } from 'plinth/guard/policy'
import { urlWith } from 'plinth/universal/url'
import { ButtonLink } from '@/ui/button'
import { Section } from '@/ui/page-parts'
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
    load: ({ scope }) => findDeletion(scope),
  },
  ({ scope, data }) => (
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
          hasPassword={data.hasPassword}
          isProven={data.isProven}
        >
          {data.needsProof && (
            <ButtonLink href={confirmUrl} variant="secondary" className="justify-self-start">
              Confirm that it is you
            </ButtonLink>
          )}
        </DeleteForm>
      </Section>
    </AccountLayout>
  ),
)

const confirmUrl = urlWith('/confirm', { change: 'delete_account', callbackUrl: '/account/data' })

/** A password in the form proves the deletion of an account without a second factor. */
async function findDeletion(scope: SignedInScope) {
  const { means, isProven } = await findConfirmation(scope, 'delete_account')
  const isProvenByForm = means.password && means.factors.length === 0
  return { hasPassword: means.password, isProven, needsProof: !isProven && !isProvenByForm }
}
