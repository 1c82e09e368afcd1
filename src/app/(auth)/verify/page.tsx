import type { Metadata } from 'next'
import { findSignUp } from '@/core/auth/sign-up'
import { page } from '@/core/guard/page'
import { anyone } from '@/core/guard/policy'
import { FinishOrDeadLink } from '../finish/finish-or-dead-link'
import { linkPage, linkQuery } from '../link-page'

export const metadata: Metadata = { ...linkPage, title: 'Finish your account' }

/** Only looks at the link: programs that scan mail open it too. */
export default page(
  {
    path: '/verify',
    name: 'see_verify',
    who: anyone,
    query: linkQuery,
    load: ({ query: { token = '' } }) => findSignUp('verify_email', token),
  },
  ({ query: { token = '' }, data: link }) => (
    <FinishOrDeadLink way="verify_email" token={token} link={link} />
  ),
)
