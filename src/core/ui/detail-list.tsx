import type { ReactNode } from 'react'

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
