import type { Metadata } from 'next'
import { page } from '@/core/guard/page'
import { anyone } from '@/core/guard/policy'
import { FinishOrDeadLink } from '../finish/finish-or-dead-link'
import { linkPage, linkQuery } from '../link-page'

export const metadata: Metadata = { ...linkPage, title: 'Finish your account' }

export default page(
  { path: '/verify', name: 'see_verify', who: anyone, query: linkQuery },
  ({ query: { token } }) => <FinishOrDeadLink way="verify_email" token={token ?? ''} />,
)
