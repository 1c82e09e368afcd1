import type { ReactNode } from 'react'
import { PageLayout } from '@/core/layout/page-layout'

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <PageLayout>
      <div className="mx-auto w-full max-w-sm px-5 py-14 sm:py-24">{children}</div>
    </PageLayout>
  )
}
