import type { Metadata } from 'next'
import { page } from '@/core/guard/page'
import { confirmAuthenticatorApp } from '../../../actions'
import { afterChange } from '../../../after-change'
import { findPreparedSecret, setupOf } from '../../../data/factors/authenticator-app'
import { mayUseSecurity } from '../../../policy'
import { AppForm } from '../../../ui/app-form'
import { AppSetup } from '../../../ui/app-setup'
import { SecurityLayout } from '../../security-layout'

export const metadata: Metadata = { title: 'Set up an authenticator app' }

export default page(
  {
    name: 'view_authenticator_app',
    path: '/account/security/app',
    authorize: mayUseSecurity,
    recentSignIn: true,
    load: ({ scope }) => findPreparedSecret(setupOf(scope)),
  },
  ({ scope, data: secret }) => (
    <SecurityLayout title="Set up an authenticator app" isSubpage>
      <AppForm
        confirm={confirmAuthenticatorApp}
        continueTo={afterChange}
        page="/account/security/app"
      >
        {secret && <AppSetup secret={secret} email={scope.session.user.email} />}
      </AppForm>
    </SecurityLayout>
  ),
)
