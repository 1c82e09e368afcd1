import type { Metadata } from 'next'
import { findLink } from '@/core/auth/links'
import { page } from '@/core/guard/page'
import { anyone } from '@/core/guard/policy'
import { DeadLink } from '../dead-link'
import { linkPage, linkQuery } from '../link-page'
import { ResetForm } from './reset-form'

export const metadata: Metadata = { ...linkPage, title: 'Choose a new password' }

/** Only looks at the link: programs that scan mail open it too. */
export default page(
  {
    path: '/reset',
    name: 'see_reset',
    who: anyone,
    query: linkQuery,
    load: ({ query: { token = '' } }) => findLink('reset_password', token),
  },
  ({ query: { token = '' }, data: link }) => {
    if (!link) return <DeadLink next={{ href: '/forgot', label: 'Get a new link' }} />
    return <ResetForm token={token} email={link.email} />
  },
)
