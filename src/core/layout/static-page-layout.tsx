import type { ComponentProps } from 'react'
import { userMenuLinks } from '@/core/layout/installed-modules'
import { Shell } from '@/core/ui/shell'
import { StaticUserMenu } from '@/core/ui/user-menu'

/** For prerendered pages; the browser fetches the session and fills the user menu. */
export function StaticPageLayout(props: Omit<ComponentProps<typeof Shell>, 'userMenu'>) {
  return <Shell {...props} userMenu={<StaticUserMenu links={userMenuLinks()} />} />
}
