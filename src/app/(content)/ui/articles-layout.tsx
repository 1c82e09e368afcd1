import type { ReactNode } from 'react'
import { PageLayout } from '@/core/layout/page-layout'

export function ArticlesLayout({ children }: { children: ReactNode }) {
  return (
    <PageLayout current="/articles">
      <div className="mx-auto w-full max-w-3xl px-5 py-10 sm:px-8 sm:py-14">{children}</div>
    </PageLayout>
  )
}
