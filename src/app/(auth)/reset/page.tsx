import type { Metadata } from 'next'
import { findLink } from '@/core/auth/accounts/links'
import { page } from '@/core/guard/page'
import { anyone } from '@/core/guard/policy'
import { InvalidLink } from '../invalid-link'
import { linkPage, linkQuery } from '../link-page'
import { ResetForm } from './reset-form'

export const metadata: Metadata = { ...linkPage, title: 'Choose a new password' }

/** Does not use up the link: mail scanners open links too. */
export default page(
  {
    path: '/reset',
    name: 'view_reset',
    authorize: anyone,
    query: linkQuery,
    load: ({ query: { token = '' } }) => findLink('reset_password', token),
  },
  ({ query: { token = '' }, data: link }) => {
    if (!link) return <InvalidLink next={{ href: '/forgot', label: 'Get a new link' }} />
    return <ResetForm token={token} email={link.email} />
  },
)
