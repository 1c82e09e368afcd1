import clsx from 'clsx'
import type { ReactNode } from 'react'
import { PageShell } from '@/core/shell/page-shell'

const pages = [
  { href: '/admin', label: 'Overview' },
  { href: '/admin/users', label: 'People' },
  { href: '/admin/invitations', label: 'Invitations' },
  { href: '/admin/audit', label: 'Audit trail' },
] as const

interface FrameProps {
  current: (typeof pages)[number]['href']
  children: ReactNode
}

/** Where every page of this module stands, with the way to the others. */
export function Frame({ current, children }: FrameProps) {
  return (
    <PageShell current="/admin">
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
    </PageShell>
  )
}
