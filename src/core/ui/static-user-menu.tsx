import type { HTMLAttributes } from 'react'
import type { NavigationItem } from './navigation'
import { SignInLinks } from './sign-in-links'
import { UserMenu } from './user-menu'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'user-slot': HTMLAttributes<HTMLElement>
    }
  }
}

const emptyUser = { name: '', email: '', role: '' }

/**
 * For prerendered pages: signed out until public/user-slot.js has fetched the session, which may
 * happen before React hydrates.
 */
export function StaticUserMenu({ links }: { links: readonly NavigationItem[] }) {
  return (
    <user-slot>
      <script async src="/user-slot.js" />
      <div data-signed-in="no" suppressHydrationWarning>
        <SignInLinks />
      </div>
      <div data-signed-in="yes" hidden className="flex sm:gap-8" suppressHydrationWarning>
        <UserMenu user={emptyUser} links={links} />
      </div>
    </user-slot>
  )
}
