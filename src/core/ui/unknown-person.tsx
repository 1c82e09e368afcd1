import type { HTMLAttributes } from 'react'
import type { NavigationItem } from './navigation'
import { PersonMenu } from './person-menu'
import { SignInLinks } from './sign-in-links'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'person-slot': HTMLAttributes<HTMLElement>
    }
  }
}

const nobody = { name: '', email: '', role: '' }

/**
 * For a page that was rendered before anybody asked for it: signed out, until public/person.js has
 * found out who looks at it. React is told that this may have happened before it woke up.
 */
export function UnknownPerson({ links }: { links: readonly NavigationItem[] }) {
  return (
    <person-slot>
      <div data-signed-in="no" suppressHydrationWarning>
        <SignInLinks />
      </div>
      <div data-signed-in="yes" hidden suppressHydrationWarning>
        <PersonMenu person={nobody} links={links} />
      </div>
    </person-slot>
  )
}
