import type { ReactNode } from 'react'
import { PageLayout } from '@/app/page-layout'

export default function SignInLayout({ children }: { children: ReactNode }) {
  return <PageLayout width="form">{children}</PageLayout>
}
