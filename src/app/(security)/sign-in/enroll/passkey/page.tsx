import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { env } from 'plinth/config/env'
import { page } from 'plinth/guard/page'
import { anyone } from 'plinth/guard/policy'
import { callbackUrlOrHome } from 'plinth/http/headers'
import { deviceOf } from 'plinth/universal/device'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { TextLink } from '@/ui/text'
import { mayEnroll } from '../../../data/factors/challenges'
import { relyingParty } from '../../../data/factors/passkeys'
import { currentChallenge, hasSessionCookie } from '../../../sign-in-step'
import { PasskeyForm } from '../../../ui/passkeys/passkey-form'
import { ExpiredSignIn } from '../../expired-sign-in'
import { enrollPasskey, startPasskeyEnrollment } from '../passkey-actions'

export const metadata: Metadata = { title: 'Set up a passkey', robots: { index: false } }

const query = z.object({ callbackUrl: z.string().max(2000).optional() })

/** Instead of an authenticator app. Until it is set up there is no session. */
export default page(
  { path: '/sign-in/enroll/passkey', name: 'view_enroll_passkey', authorize: anyone, query },
  async ({ scope, query: { callbackUrl } }) => {
    const challenge = await currentChallenge()
    // After the last step the page shows the recovery codes of the signed-in user.
    if (!challenge && !(await hasSessionCookie())) {
      return <ExpiredSignIn callbackUrl={callbackUrl} />
    }
    if (challenge && !mayEnroll(challenge)) redirect(urlWith('/sign-in/enroll', { callbackUrl }))
    return (
      <>
        <h1 className="text-2xl">Set up a passkey</h1>
        <p className="mt-3 mb-8 text-muted">
          Your account needs more than a password. You are signed in once this is done.
        </p>
        <PasskeyForm
          start={startPasskeyEnrollment}
          add={enrollPasskey}
          origin={relyingParty().origin}
          device={deviceOf(scope.userAgent)}
          continueTo={callbackUrlOrHome(callbackUrl, env().AUTH_URL)}
          isExpected={challenge !== undefined}
        />
        {challenge && (
          <p className="mt-6 text-sm">
            <TextLink href={urlWith('/sign-in/enroll', { callbackUrl })}>
              Use an authenticator app instead
            </TextLink>
          </p>
        )}
      </>
    )
  },
)
