import { accountSections } from 'plinth/modules/installed-modules'
import type { ComponentProps } from 'react'
import { PageLayout } from '@/app/page-layout'
import type { sections } from '../sections'

interface AccountLayoutProps extends Pick<ComponentProps<typeof PageLayout>, 'children'> {
  current: (typeof sections)[number]['href']
}

/** Each section has its own URL. Other modules may add theirs. */
export function AccountLayout({ current, children }: AccountLayoutProps) {
  const items = accountSections(current)
  const title = items.find(({ href }) => href === current)?.label ?? ''
  return (
    <PageLayout
      current="/account"
      title={title}
      subNavigation={{ label: 'Account', items, current }}
    >
      {children}
    </PageLayout>
  )
}
