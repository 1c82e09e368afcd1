import 'server-only'
import { currentScope } from 'plinth/auth/sessions/next-session'
import { env } from 'plinth/config/env'
import { currentFlash } from 'plinth/guard/mutation'
import { timeZoneOf } from 'plinth/http/scope'
import { navigationFor, userMenuLinks } from 'plinth/modules/installed-modules'
import type { FormAction } from 'plinth/universal/action-result'
import type { NavigationItem } from 'plinth/universal/navigation'
import type { ComponentProps, ReactNode } from 'react'
import { FlashToast } from '@/ui/flash-toast'
import { Breadcrumbs, SubNavigation } from '@/ui/page-parts'
import { Shell } from '@/ui/shell'
import { SignInLinks, UserMenu } from '@/ui/user-menu'

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
  /** The pages above this one, from the top. */
  breadcrumbs?: readonly NavigationItem[]
  /** The mutations that undo buttons on this page call, by name. */
  undo?: Readonly<Record<string, FormAction>>
  children: ReactNode
}

/** For pages rendered per request, with the caller's navigation and user menu. */
export async function PageLayout(props: PageLayoutProps) {
  const { current, width = 'wide', title, actions, subNavigation, children } = props
  const { breadcrumbs, undo = {} } = props
  const scope = await currentScope()
  const flash = await currentFlash(scope.session?.user.id)
  const userMenu = scope.session ? (
    <UserMenu user={scope.session.user} links={userMenuLinks(scope)} />
  ) : (
    <SignInLinks signUp={env().SIGN_UP === 'open'} />
  )
  const timeZone = timeZoneOf(scope)
  return (
    <Shell navigation={navigationFor(scope)} userMenu={userMenu} {...(current && { current })}>
      <div className={widths[width]}>
        {/* For public/page.js. */}
        {timeZone && <meta name="time-zone" content={timeZone} />}
        {flash && <FlashToast flash={flash} undo={flash.undo && undo[flash.undo.action]} />}
        {breadcrumbs && <Breadcrumbs items={breadcrumbs} />}
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
