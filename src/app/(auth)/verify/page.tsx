import type { Metadata } from 'next'
import { findSignUpLink } from 'plinth/auth/accounts/sign-up'
import { page } from 'plinth/guard/page'
import { anyone } from 'plinth/guard/policy'
import { CreateAccountPage } from '../create-account/create-account-page'
import { linkPage, linkQuery } from '../link-page'

export const metadata: Metadata = { ...linkPage, title: 'Create your account' }

/** Does not use up the link: mail scanners open links too. */
export default page(
  {
    path: '/verify',
    name: 'view_verify',
    authorize: anyone,
    query: linkQuery,
    load: ({ query: { token = '' } }) => findSignUpLink('verify_email', token),
  },
  ({ query: { token = '', callbackUrl }, data: link }) => (
    <CreateAccountPage purpose="verify_email" token={token} callbackUrl={callbackUrl} link={link} />
  ),
)
