import { userMenuLinks } from 'plinth/modules/installed-modules'
import type { ComponentProps } from 'react'
import { Shell } from '@/ui/shell'
import { StaticUserMenu } from '@/ui/user-menu'

/** For prerendered pages; the browser fetches the session and fills the user menu. */
export function StaticPageLayout(props: Omit<ComponentProps<typeof Shell>, 'userMenu'>) {
  return <Shell {...props} userMenu={<StaticUserMenu links={userMenuLinks()} />} />
}
