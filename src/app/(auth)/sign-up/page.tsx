import type { Metadata } from 'next'
import { findSignUpLink } from 'plinth/auth/accounts/sign-up'
import { env } from 'plinth/config/env'
import { page } from 'plinth/guard/page'
import { anyone } from 'plinth/guard/policy'
import { ButtonLink } from '@/ui/button'
import { TextLink } from '@/ui/text'
import { requestSignUp } from '../actions'
import { callbackFields, withCallbackUrl } from '../callback-url'
import { CreateAccountPage } from '../create-account/create-account-page'
import { EmailRequestForm } from '../email-request-form'
import { linkPage, linkQuery } from '../link-page'
import { SignedIn } from '../sign-in/sign-in-parts'

export const metadata: Metadata = { ...linkPage, title: 'Create an account' }

/** Does not use up the invitation: mail scanners open links too. */
export default page(
  {
    path: '/sign-up',
    name: 'view_sign_up',
    authorize: anyone,
    query: linkQuery,
    load: async ({ query: { token } }) =>
      token !== undefined && env().SIGN_UP !== 'closed'
        ? { token, link: await findSignUpLink('invitation', token) }
        : undefined,
  },
  ({ scope: { session }, query: { callbackUrl }, data: invitation }) => {
    if (invitation) {
      return <CreateAccountPage purpose="invitation" callbackUrl={callbackUrl} {...invitation} />
    }
    if (session) return <SignedIn {...session.user} />
    const { SIGN_UP } = env()
    if (SIGN_UP !== 'open') return <SignUpClosed inviteOnly={SIGN_UP === 'invite'} />
    return <RequestSignUp callbackUrl={callbackUrl} />
  },
)

function RequestSignUp({ callbackUrl }: { callbackUrl: string | undefined }) {
  return (
    <>
      <EmailRequestForm
        action={requestSignUp}
        fields={callbackFields(callbackUrl)}
        title="Create an account"
        button="Send link"
        sent="Use the link in it to create your account. It expires in one day."
      >
        We will send you a link to confirm your email.
      </EmailRequestForm>
      <p className="mt-6 text-sm text-muted">
        Already have an account?{' '}
        <TextLink href={withCallbackUrl('/sign-in', callbackUrl)}>Sign in</TextLink>
      </p>
    </>
  )
}

function SignUpClosed({ inviteOnly }: { inviteOnly: boolean }) {
  return (
    <>
      <h1 className="text-2xl">
        {inviteOnly ? 'Sign-up is by invitation only' : 'Sign-up is closed'}
      </h1>
      <p className="mt-3 text-muted">
        {inviteOnly
          ? 'To create an account, use the link in your invitation email. If you no longer have it, ask an admin for a new one.'
          : 'New accounts cannot be created at the moment.'}
      </p>
      <p className="mt-8">
        <ButtonLink href="/sign-in">Sign in</ButtonLink>
      </p>
    </>
  )
}
