import type { ComponentProps } from 'react'
import { configuredProviders } from '@/core/auth/oauth/configured-providers'
import { env } from '@/core/config/env'
import { PageLayout } from '@/core/layout/page-layout'
import { sections } from '../sections'

interface AccountLayoutProps extends Pick<ComponentProps<typeof PageLayout>, 'children'> {
  current: (typeof sections)[number]['href']
}

/** Each section has its own URL. Connected accounts need a provider that is set up. */
export function AccountLayout({ current, children }: AccountLayoutProps) {
  const hidden = configuredProviders(env()).length > 0 ? undefined : '/account/connected'
  const items = sections.filter(({ href }) => href === current || href !== hidden)
  const title = sections.find(({ href }) => href === current)?.label ?? ''
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
