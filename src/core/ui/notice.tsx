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
      className={tone === 'danger' ? 'notice' : 'notice notice-positive'}
    >
      {children}
    </div>
  )
}
