import type { ReactNode } from 'react'
import { PageLayout } from '@/core/layout/page-layout'

export default function AuthLayout({ children }: { children: ReactNode }) {
  return <PageLayout width="form">{children}</PageLayout>
}
