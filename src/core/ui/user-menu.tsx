import { Badge } from './badge'
import { Button } from './button'
import type { NavigationItem } from './navigation'

interface UserMenuProps {
  user: { name: string; email: string; role: string }
  links: readonly NavigationItem[]
}

const popoverId = 'user-menu'

/**
 * A native popover and a plain form, which need no JavaScript. On prerendered pages
 * public/user-menu.js fills in the elements with `data-user`.
 */
export function UserMenu({ user: { name, email, role }, links }: UserMenuProps) {
  return (
    <>
      <button
        type="button"
        popoverTarget={popoverId}
        className="flex h-11 items-center gap-2 rounded-md px-1.5 text-sm font-medium hover:bg-sunken sm:h-10 sm:pr-3"
      >
        <span
          aria-hidden="true"
          className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-wash text-accent"
        >
          <UserField name="initial">{initialOf(name)}</UserField>
        </span>
        <span className="sr-only max-w-40 truncate sm:not-sr-only">
          <UserField name="name">{name}</UserField>
        </span>
      </button>
      <div
        id={popoverId}
        popover="auto"
        className="absolute top-17 right-[max(1.25rem,calc((100vw-72rem)/2+2rem))] bottom-auto left-auto m-0 w-72 max-w-[calc(100vw-2.5rem)] rounded-lg border border-line bg-surface p-4 text-sm text-ink shadow-floating"
      >
        <p className="font-medium break-words">
          <UserField name="name">{name}</UserField>
        </p>
        <p className="mt-0.5 break-words text-muted">
          <UserField name="email">{email}</UserField>
        </p>
        <p className="mt-2.5">
          <Badge>
            <UserField name="role">{role}</UserField>
          </Badge>
        </p>
        {links.length > 0 && (
          <ul className="mt-4 -mb-1 border-t border-line pt-2.5">
            {links.map(({ href, label }) => (
              <li key={href}>
                <a
                  href={href}
                  className="-mx-2 block rounded-md px-2 py-2 font-medium hover:bg-sunken"
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        )}
        <form method="post" action="/api/auth/signout" className="mt-4 border-t border-line pt-4">
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
    <span data-user={name} suppressHydrationWarning>
      {children}
    </span>
  )
}

function initialOf(name: string): string {
  return [...name][0]?.toUpperCase() ?? ''
}
