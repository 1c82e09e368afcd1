import type { ReactNode } from 'react'
import { PageShell } from '@/core/shell/page-shell'

export function Frame({ children }: { children: ReactNode }) {
  return (
    <PageShell current="/account">
      <div className="mx-auto w-full max-w-6xl px-5 py-10 sm:px-8 sm:py-14">{children}</div>
    </PageShell>
  )
}
