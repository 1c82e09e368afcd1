import type { ComponentProps } from 'react'
import { PageLayout } from '@/app/page-layout'
import { updateUserRole } from '../actions'
import { invitationsEnabled } from '../data/invitations'

const pages = [
  { href: '/admin', label: 'Overview' },
  { href: '/admin/users', label: 'Users' },
  { href: '/admin/invitations', label: 'Invitations' },
  { href: '/admin/audit', label: 'Audit log' },
  { href: '/admin/jobs', label: 'Jobs' },
] as const

type PageLayoutProps = ComponentProps<typeof PageLayout>

interface AdminLayoutProps
  extends Pick<PageLayoutProps, 'title' | 'actions' | 'breadcrumbs' | 'children'> {
  current: (typeof pages)[number]['href']
}

const undo = { update_user_role: updateUserRole }

export function AdminLayout({ current, ...content }: AdminLayoutProps) {
  const items = pages.filter(({ href }) => href !== '/admin/invitations' || invitationsEnabled())
  const subNavigation = { label: 'Administration', items, current }
  return <PageLayout {...content} current="/admin" subNavigation={subNavigation} undo={undo} />
}
