import { accountSections } from 'plinth/modules/installed-modules'
import type { ReactNode } from 'react'
import { PageLayout } from '@/app/page-layout'

interface SecurityLayoutProps {
  title: string
  current?: '/account/security' | '/account/email'
  /** True for a page below `/account/security`. */
  isSubpage?: boolean
  children: ReactNode
}

/** With the menu of the account, which other modules add to. */
export function SecurityLayout(props: SecurityLayoutProps) {
  const { title, current = '/account/security', isSubpage, children } = props
  return (
    <PageLayout
      current="/account"
      title={title}
      {...(isSubpage
        ? { breadcrumbs: [{ href: current, label: 'Security' }] }
        : { subNavigation: { label: 'Account', items: accountSections(current), current } })}
    >
      {children}
    </PageLayout>
  )
}
