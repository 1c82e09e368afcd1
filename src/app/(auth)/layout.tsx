import type { ReactNode } from 'react'
import { PageShell } from '@/core/shell/page-shell'

/** One narrow column: each of these pages asks for one thing. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <PageShell>
      <div className="mx-auto w-full max-w-sm px-5 py-14 sm:py-24">{children}</div>
    </PageShell>
  )
}
