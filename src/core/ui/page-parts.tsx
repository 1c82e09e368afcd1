import { type ReactNode, useId } from 'react'
import { ButtonLink } from './button'
import type { NavigationItem } from './shell'

/** The pages above the page shown, from the top. */
export function Breadcrumbs({ items }: { items: readonly NavigationItem[] }) {
  return (
    <nav aria-label="Breadcrumbs" className="breadcrumbs">
      <ol>
        {items.map(({ href, label }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface SubNavigationProps {
  /** For screen readers. */
  label: string
  items: readonly NavigationItem[]
  current: string
}

/** The pages of one area, as a row of links above its content. */
export function SubNavigation({ label, items, current }: SubNavigationProps) {
  return (
    <nav aria-label={label} className="sub-navigation">
      <ul>
        {items.map((item) => (
          <li key={item.href}>
            <a href={item.href} aria-current={item.href === current ? 'page' : undefined}>
              {item.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface SectionProps {
  /** Where a link such as `#sessions` leads. */
  id?: string
  title: string
  /** With it, the title stands beside the content. */
  lead?: string
  children: ReactNode
}

export function Section({ id, title, lead, children }: SectionProps) {
  const titleId = useId()
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className={lead ? 'section section-with-lead' : 'section'}
    >
      <div>
        <h2 id={titleId}>{title}</h2>
        {lead && <p>{lead}</p>}
      </div>
      <div>{children}</div>
    </section>
  )
}

/** The values of one object, with their names. */
export function DetailList({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line border-y border-line text-sm">{children}</dl>
}

export function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-1 py-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}

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
