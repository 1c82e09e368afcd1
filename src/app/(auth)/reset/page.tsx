import type { Metadata } from 'next'
import { findLink } from '@/core/auth/links'
import { DeadLink } from '../dead-link'
import { linkPage, type Query, tokenIn } from '../link-page'
import { ResetForm } from './reset-form'

export const metadata: Metadata = { ...linkPage, title: 'Choose a new password' }

export default async function ResetPage({ searchParams }: { searchParams: Query }) {
  const token = await tokenIn(searchParams)
  const link = await findLink('reset_password', token)
  if (!link || token === undefined) {
    return <DeadLink next={{ href: '/forgot', label: 'Get a new link' }} />
  }
  return <ResetForm token={token} email={link.email} />
}
