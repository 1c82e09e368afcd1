import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { database } from 'plinth/db/client'
import { page } from 'plinth/guard/page'
import { z } from 'zod'
import { PageLayout } from '@/app/page-layout'
import { ConfirmButton } from '@/ui/forms/confirm-button'
import { Detail, DetailList } from '@/ui/page-parts'
import { resetUserFactors } from '../../../actions'
import { findFactors, isProtected } from '../../../data/factors/factors'
import { findUserEmail } from '../../../data/overview'
import { mayResetFactors } from '../../../policy'

export const metadata: Metadata = { title: 'Second factors' }

export default page(
  {
    name: 'view_user_factors',
    path: '/security/users/[id]',
    authorize: mayResetFactors,
    params: z.object({ id: z.uuid() }),
    load: async ({ params: { id } }) => ({
      email: await findUserEmail(database(), id),
      factors: await findFactors(id),
    }),
  },
  ({ params: { id }, data: { email, factors } }) => {
    if (email === undefined) notFound()
    return (
      <PageLayout title={`Second factors of ${email}`}>
        <DetailList>
          <Detail label="Authenticator app">{factors.app ? 'Yes' : 'No'}</Detail>
          <Detail label="Passkeys">{factors.passkeys}</Detail>
          <Detail label="Recovery codes">{factors.recoveryCodes}</Detail>
        </DetailList>
        {isProtected(factors) && (
          <div className="mt-8">
            <ConfirmButton
              id="reset-factors"
              action={resetUserFactors}
              fields={{ userId: id }}
              label="Remove second factors"
              title="Remove all second factors of this user?"
              confirm="Remove second factors"
              variant="danger"
            >
              <p>
                {email} is signed out on all devices and gets an email. A password alone signs them
                in until they set up a second factor again.
              </p>
            </ConfirmButton>
          </div>
        )}
      </PageLayout>
    )
  },
)
