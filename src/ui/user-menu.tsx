import type { NavigationItem } from 'plinth/universal/navigation'
import type { HTMLAttributes } from 'react'
import { Button, ButtonLink } from './button'
import { Badge, Icon } from './text'

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

interface UserMenuProps {
  user: { name: string; email: string; role: string }
  links: readonly NavigationItem[]
}

const popoverId = 'user-menu'

/**
 * A native popover and a plain form, which need no JavaScript. On prerendered pages
 * public/user-slot.js fills in the elements with `data-user`.
 */
export function UserMenu({ user: { name, email, role }, links }: UserMenuProps) {
  return (
    <>
      <button type="button" aria-keyshortcuts="Meta+K Control+K" className="palette-button">
        <Icon name="search" />
        <span>Search</span>
      </button>
      <button type="button" popoverTarget={popoverId} className="user-button">
        <span aria-hidden="true">
          <UserField name="initial">{initialOf(name)}</UserField>
        </span>
        <span>
          <UserField name="name">{name}</UserField>
        </span>
      </button>
      <div id={popoverId} popover="auto" className="user-menu">
        <p className="font-medium">
          <UserField name="name">{name}</UserField>
        </p>
        <p className="mt-0.5 text-muted">
          <UserField name="email">{email}</UserField>
        </p>
        <p className="mt-2.5">
          <Badge>
            <UserField name="role">{role}</UserField>
          </Badge>
        </p>
        {links.length > 0 && (
          <ul>
            {links.map(({ href, label }) => (
              <li key={href}>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        )}
        <form method="post" action="/api/auth/signout">
          <Button type="submit" variant="secondary" className="w-full">
            Sign out
          </Button>
        </form>
      </div>
    </>
  )
}

function UserField({ name, children }: { name: string; children: string }) {
  return (
    <bdi data-user={name} suppressHydrationWarning>
      {children}
    </bdi>
  )
}

function initialOf(name: string): string {
  return [...name][0]?.toUpperCase() ?? ''
}

/** Small screens have room for one of the two. */
export function SignInLinks({ signUp = false }: { signUp?: boolean }) {
  return (
    <div className="flex items-center gap-1.5">
      <ButtonLink href="/sign-in" variant="quiet" size="small" className="max-sm:h-11">
        Sign in
      </ButtonLink>
      {signUp && (
        <ButtonLink href="/sign-up" variant="secondary" size="small" className="max-sm:hidden">
          Create account
        </ButtonLink>
      )}
    </div>
  )
}
