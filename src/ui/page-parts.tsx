import type { DeferredValue } from 'plinth/universal/deferred-value'
import type { NavigationItem } from 'plinth/universal/navigation'
import { type ReactNode, Suspense, useId } from 'react'
import { ButtonLink } from './button'

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
  /** Says what appears here, or what to do next. */
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

interface DeferredProps<Value> {
  /** From `defer()` in the page's `load`. */
  value: DeferredValue<Value>
  /** For screen readers while it loads. */
  label: string
  children: (value: Value) => ReactNode
}

/** A part of a page that may be slow. If it is late, it is streamed behind a skeleton. */
export function Deferred<Value>({ value, label, children }: DeferredProps<Value>): ReactNode {
  if (value.resolved) return children(value.resolved.value)
  return (
    <Suspense fallback={<Loading label={label} />}>
      <Streamed promise={value.promise}>{children}</Streamed>
    </Suspense>
  )
}

interface StreamedProps<Value> {
  promise: Promise<Value>
  children: (value: Value) => ReactNode
}

async function Streamed<Value>({ promise, children }: StreamedProps<Value>) {
  return children(await promise)
}

/** Streamed parts are inserted by a script, so without JavaScript they never appear. */
function Loading({ label }: { label: string }) {
  return (
    <>
      <Skeleton label={label} />
      <noscript>
        <p className="mt-3 text-sm text-muted">
          This is taking longer than usual. Reload the page to see it.
        </p>
      </noscript>
    </>
  )
}

/** A placeholder that prevents a layout shift when the content arrives. */
function Skeleton({ lines = 6, label }: { lines?: number; label: string }) {
  return (
    <div role="status" className="grid gap-4 rounded-lg border border-line bg-surface p-5">
      <span className="sr-only">{label}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical and static
          key={index}
          aria-hidden="true"
          className="block h-4 animate-pulse rounded-sm bg-sunken even:w-3/4"
        />
      ))}
    </div>
  )
}
