import clsx from 'clsx'
import type { ReactNode } from 'react'

type Tone = 'neutral' | 'positive' | 'warning' | 'danger'

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'inline-flex items-center rounded-sm px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}

const tones: Record<Tone, string> = {
  neutral: 'bg-sunken text-muted',
  positive: 'bg-accent-wash text-accent',
  warning: 'bg-warning-wash text-warning',
  danger: 'bg-danger-wash text-danger',
}
