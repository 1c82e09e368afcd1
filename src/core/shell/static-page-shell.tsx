import type { ComponentProps } from 'react'
import { personMenuLinks } from '@/core/shell/installed'
import { Shell } from '@/core/ui/shell'
import { UnknownPerson } from '@/core/ui/unknown-person'

/** The shell of a page that is rendered once for everybody; the browser finds out who looks at it. */
export function StaticPageShell(props: Omit<ComponentProps<typeof Shell>, 'person'>) {
  return <Shell {...props} person={<UnknownPerson links={personMenuLinks()} />} />
}
