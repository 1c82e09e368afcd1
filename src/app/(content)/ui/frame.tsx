import type { ReactNode } from 'react'
import { PageShell } from '@/core/shell/page-shell'

/** Where every page of this module stands. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <PageShell current="/articles">
      <div className="mx-auto w-full max-w-3xl px-5 py-10 sm:px-8 sm:py-14">{children}</div>
    </PageShell>
  )
}
