import type { Metadata } from 'next'
import { findConfirmation } from 'plinth/guard/change-proof'
import { page } from 'plinth/guard/page'
import type { SignedInScope } from 'plinth/guard/policy'
import { Form } from '@/ui/forms/form'
import { confirmAuthenticatorApp, startAuthenticatorApp } from '../../../actions'
import { afterChange } from '../../../after-change'
import { findPreparedSecret, setupOf } from '../../../data/factors/authenticator-app'
import { mayUseSecurity } from '../../../policy'
import { AppForm } from '../../../ui/app-form'
import { AppSetup } from '../../../ui/app-setup'
import { SecurityLayout } from '../../security-layout'

export const metadata: Metadata = { title: 'Set up an authenticator app' }

const path = '/account/security/app'

export default page(
  {
    name: 'view_authenticator_app',
    path: '/account/security/app',
    authorize: mayUseSecurity,
    load: ({ scope }) => findSetup(scope),
  },
  ({ scope, data: { hasApp, isProven, secret } }) => (
    <SecurityLayout title="Set up an authenticator app" isSubpage>
      {isProven && !secret && !hasApp ? (
        <Form
          action={startAuthenticatorApp}
          fields={{ purpose: 'set_up' }}
          permalink={path}
          submitLabel="Show QR code"
          className="max-w-md"
        >
          <p className="text-muted">
            You need an authenticator app on your phone. It scans a QR code, and from then on shows
            the codes that your account asks for.
          </p>
        </Form>
      ) : (
        <AppForm
          confirm={confirmAuthenticatorApp}
          continueTo={afterChange}
          page={path}
          isProven={isProven || hasApp}
        >
          {secret && <AppSetup secret={secret} email={scope.session.user.email} />}
        </AppForm>
      )}
    </SecurityLayout>
  ),
)

/** The secret is shown only to a user who may confirm it. */
async function findSetup(scope: SignedInScope) {
  const { isProven, means } = await findConfirmation(scope, 'add_factor')
  return {
    hasApp: means.factors.some(({ kind }) => kind === 'app'),
    isProven,
    secret: isProven ? await findPreparedSecret(setupOf(scope)) : undefined,
  }
}
