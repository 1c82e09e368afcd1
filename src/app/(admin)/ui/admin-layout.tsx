import type { ComponentProps } from 'react'
import { PageLayout } from '@/core/layout/page-layout'

const pages = [
  { href: '/admin', label: 'Overview' },
  { href: '/admin/users', label: 'Users' },
  { href: '/admin/invitations', label: 'Invitations' },
  { href: '/admin/audit', label: 'Audit log' },
] as const

interface AdminLayoutProps
  extends Pick<ComponentProps<typeof PageLayout>, 'title' | 'actions' | 'children'> {
  current: (typeof pages)[number]['href']
}

export function AdminLayout({ current, ...content }: AdminLayoutProps) {
  const subNavigation = { label: 'Administration', items: pages, current }
  return <PageLayout {...content} current="/admin" subNavigation={subNavigation} />
}
