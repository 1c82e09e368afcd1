import type { ReactNode } from 'react'
import { ButtonLink } from './button'

interface EmptyStateProps {
  title: string
  /** What appears here, or what to do next. */
  children?: ReactNode
  action?: { href: string; label: string } | undefined
}

/** Shown instead of a list without entries. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <p className="font-medium">{title}</p>
      {children && <div className="mx-auto mt-1 max-w-prose text-sm text-muted">{children}</div>}
      {action && (
        <ButtonLink href={action.href} className="mt-6">
          {action.label}
        </ButtonLink>
      )}
    </div>
  )
}
