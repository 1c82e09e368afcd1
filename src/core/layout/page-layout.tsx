import 'server-only'
import type { ComponentProps } from 'react'
import { currentScope } from '@/core/auth/sessions/next-scope'
import { env } from '@/core/config/env'
import { navigationFor, userMenuLinks } from '@/core/layout/installed-modules'
import { Shell } from '@/core/ui/shell'
import { SignInLinks } from '@/core/ui/sign-in-links'
import { UserMenu } from '@/core/ui/user-menu'

type Props = Omit<ComponentProps<typeof Shell>, 'userMenu' | 'navigation'>

/** For pages rendered per request, with the caller's navigation and user menu. */
export async function PageLayout(props: Props) {
  const scope = await currentScope()
  const userMenu = scope.session ? (
    <UserMenu user={scope.session.user} links={userMenuLinks()} />
  ) : (
    <SignInLinks signUp={env().SIGN_UP === 'open'} />
  )
  return <Shell {...props} navigation={navigationFor(scope)} userMenu={userMenu} />
}
