import type { Metadata } from 'next'
import { env } from 'plinth/config/env'
import { page } from 'plinth/guard/page'
import { anyone } from 'plinth/guard/policy'
import { callbackUrlOrHome } from 'plinth/http/headers'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { TextLink } from '@/ui/text'
import { findPreparedSecret } from '../../data/factors/authenticator-app'
import { mayEnroll } from '../../data/factors/challenges'
import { currentChallenge, hasSessionCookie } from '../../sign-in-step'
import { AppForm } from '../../ui/app-form'
import { AppSetup } from '../../ui/app-setup'
import { ExpiredSignIn } from '../expired-sign-in'
import { enrollAuthenticatorApp } from './actions'
import { MailboxForm } from './mailbox-form'

export const metadata: Metadata = { title: 'Set up a second factor', robots: { index: false } }

const query = z.object({
  callbackUrl: z.string().max(2000).optional(),
  sent: z.literal('yes').optional(),
})

/** For users who need a second factor and have none. Until it is set up there is no session. */
export default page(
  { path: '/sign-in/enroll', name: 'view_enroll', authorize: anyone, query },
  async ({ query: { callbackUrl, sent } }) => {
    const challenge = await currentChallenge()
    const next = callbackUrlOrHome(callbackUrl, env().AUTH_URL)
    // After the last step the page shows the recovery codes of the signed-in user.
    if (!challenge && !(await hasSessionCookie())) {
      return <ExpiredSignIn callbackUrl={callbackUrl} />
    }
    const introduction = (
      <>
        <h1 className="text-2xl">Set up a second factor</h1>
        <p className="mt-3 mb-8 text-muted">
          Your account needs more than a password. You are signed in once this is done.
        </p>
      </>
    )
    if (challenge && !mayEnroll(challenge)) {
      const { email } = challenge.user
      return (
        <>
          {introduction}
          <MailboxForm email={email} callbackUrl={callbackUrl} isSent={sent === 'yes'} />
        </>
      )
    }
    const secret =
      challenge &&
      (await findPreparedSecret({ userId: challenge.user.id, preparedFor: challenge.id }))
    return (
      <>
        {introduction}
        <AppForm
          confirm={enrollAuthenticatorApp}
          continueTo={next}
          page={urlWith('/sign-in/enroll', { callbackUrl })}
        >
          {secret && <AppSetup secret={secret} email={challenge.user.email} />}
        </AppForm>
        {challenge && (
          <p className="mt-6 text-sm">
            <TextLink href={urlWith('/sign-in/enroll/passkey', { callbackUrl })}>
              Use a passkey instead
            </TextLink>
          </p>
        )}
      </>
    )
  },
)
