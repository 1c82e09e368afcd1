import 'server-only'
import type { ComponentProps, ReactNode } from 'react'
import { currentScope } from '@/core/auth/sessions/next-scope'
import { env } from '@/core/config/env'
import { navigationFor, userMenuLinks } from '@/core/layout/installed-modules'
import { Shell } from '@/core/ui/shell'
import { SignInLinks } from '@/core/ui/sign-in-links'
import { SubNavigation } from '@/core/ui/sub-navigation'
import { UserMenu } from '@/core/ui/user-menu'

interface PageLayoutProps {
  /** The path of the navigation item to mark as current. */
  current?: string
  /** `form` is for a page with nothing but a short form. */
  width?: keyof typeof widths
  /** The heading. Omit it if the page has its own. */
  title?: string
  /** Beside the heading, usually a button. */
  actions?: ReactNode
  subNavigation?: ComponentProps<typeof SubNavigation>
  children: ReactNode
}

/** For pages rendered per request, with the caller's navigation and user menu. */
export async function PageLayout(props: PageLayoutProps) {
  const { current, width = 'wide', title, actions, subNavigation, children } = props
  const scope = await currentScope()
  const userMenu = scope.session ? (
    <UserMenu user={scope.session.user} links={userMenuLinks()} />
  ) : (
    <SignInLinks signUp={env().SIGN_UP === 'open'} />
  )
  return (
    <Shell navigation={navigationFor(scope)} userMenu={userMenu} {...(current && { current })}>
      <div className={widths[width]}>
        {subNavigation && <SubNavigation {...subNavigation} />}
        {title && (
          <div className="page-title">
            <h1>{title}</h1>
            {actions}
          </div>
        )}
        {children}
      </div>
    </Shell>
  )
}

const widths = {
  form: 'page page-form',
  narrow: 'page page-narrow',
  wide: 'page',
}
