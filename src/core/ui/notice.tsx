import clsx from 'clsx'
import type { ReactNode } from 'react'

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
      className={clsx(
        'rounded-md border px-3.5 py-3 text-sm',
        tone === 'danger' ? 'border-danger text-danger' : 'border-accent text-accent',
      )}
    >
      {children}
    </div>
  )
}
