import type { Metadata } from 'next'
import { findConfirmation } from 'plinth/guard/change-proof'
import { page } from 'plinth/guard/page'
import { createRecoveryCodes } from '../../../actions'
import { mayUseSecurity } from '../../../policy'
import { CodesForm } from '../../../ui/codes-form'
import { SecurityLayout } from '../../security-layout'

export const metadata: Metadata = { title: 'New recovery codes' }

export default page(
  {
    name: 'view_recovery_codes',
    path: '/account/security/codes',
    authorize: mayUseSecurity,
    load: ({ scope }) => findConfirmation(scope, 'add_factor'),
  },
  ({ data: { isProven } }) => (
    <SecurityLayout title="New recovery codes" isSubpage>
      <CodesForm create={createRecoveryCodes} isProven={isProven} />
    </SecurityLayout>
  ),
)
