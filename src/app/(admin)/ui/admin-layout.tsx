import clsx from 'clsx'
import type { ReactNode } from 'react'
import { PageLayout } from '@/core/layout/page-layout'

const pages = [
  { href: '/admin', label: 'Overview' },
  { href: '/admin/users', label: 'Users' },
  { href: '/admin/invitations', label: 'Invitations' },
  { href: '/admin/audit', label: 'Audit log' },
] as const

interface AdminLayoutProps {
  current: (typeof pages)[number]['href']
  children: ReactNode
}

export function AdminLayout({ current, children }: AdminLayoutProps) {
  return (
    <PageLayout current="/admin">
      <div className="mx-auto w-full max-w-6xl px-5 py-8 sm:px-8 sm:py-10">
        <nav aria-label="Administration" className="mb-8 border-b border-line">
          <ul className="-mb-px flex gap-5 overflow-x-auto sm:gap-7">
            {pages.map(({ href, label }) => (
              <li key={href}>
                <a
                  href={href}
                  aria-current={href === current ? 'page' : undefined}
                  className={clsx(
                    'block border-b-2 py-2.5 text-sm font-medium whitespace-nowrap -outline-offset-2',
                    href === current
                      ? 'border-accent text-ink'
                      : 'border-transparent text-muted hover:text-ink',
                  )}
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {children}
      </div>
    </PageLayout>
  )
}
