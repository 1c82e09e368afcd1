import type { Metadata } from 'next'
import { findConfirmation } from 'plinth/guard/change-proof'
import { page } from 'plinth/guard/page'
import { deviceOf } from 'plinth/universal/device'
import { afterChange } from '../../../../after-change'
import { relyingParty } from '../../../../data/factors/passkeys'
import { addPasskey, startPasskey } from '../../../../passkey-actions'
import { mayUseSecurity } from '../../../../policy'
import { PasskeyForm } from '../../../../ui/passkeys/passkey-form'
import { SecurityLayout } from '../../../security-layout'

export const metadata: Metadata = { title: 'Add a passkey' }

export default page(
  {
    name: 'view_new_passkey',
    path: '/account/security/passkeys/new',
    authorize: mayUseSecurity,
    load: ({ scope }) => findConfirmation(scope, 'add_factor'),
  },
  ({ scope, data: { isProven } }) => (
    <SecurityLayout title="Add a passkey" isSubpage>
      <PasskeyForm
        start={startPasskey}
        add={addPasskey}
        origin={relyingParty().origin}
        device={deviceOf(scope.userAgent)}
        continueTo={afterChange}
        confirmAt={isProven ? undefined : '/account/security/passkeys/new'}
      />
    </SecurityLayout>
  ),
)
