import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '@/ui/button'

interface NoticeProps {
  children: ReactNode
  /** Screen readers announce `danger` immediately and `positive` when idle. */
  tone?: 'danger' | 'positive'
}

/** A message about a whole form or page. */
export function Notice({ children, tone = 'danger' }: NoticeProps) {
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={tone === 'danger' ? 'notice' : 'notice notice-positive'}
    >
      {children}
    </div>
  )
}

type Tone = 'neutral' | 'positive' | 'warning' | 'danger'

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={tone === 'neutral' ? 'badge' : `badge badge-${tone}`}>{children}</span>
}

export function TextLink({ className, ...rest }: ComponentProps<'a'> & { href: string }) {
  return <a {...rest} className={classNames('link', className)} />
}

interface LocalTimeProps {
  at: Date
  /** `relative` is "5 minutes ago". */
  precision?: 'day' | 'minute' | 'relative'
}

/**
 * public/page.js rewrites it in the user's time zone, or else the browser's, and in its language,
 * and shows the exact time on hover. Without JavaScript it is in UTC.
 */
export function LocalTime({ at, precision = 'day' }: LocalTimeProps) {
  const exact = `${at.toISOString().slice(0, 19)}Z`
  const day = exact.slice(0, 10)
  return (
    <time dateTime={exact} data-local={precision} suppressHydrationWarning>
      {precision === 'day' ? day : `${day} ${exact.slice(11, 16)} UTC`}
    </time>
  )
}

interface IconProps {
  /** The id of a symbol in public/icons.svg. */
  name: 'menu' | 'close' | 'system' | 'light' | 'dark' | 'alert' | 'delete' | 'search'
}

/** From one file for all icons, which the browser caches. */
export function Icon({ name }: IconProps) {
  return (
    <svg className="icon" aria-hidden="true">
      <use href={`/icons.svg#${name}`} />
    </svg>
  )
}
