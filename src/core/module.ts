import type { Route } from '@/core/guard/route'
import type { NavigationItem } from '@/core/ui/navigation'

/** A module's whole face to the rest: the folder `src/app/(id)` exports one of these. */
export type Module = {
  id: string
  title: string
  description: string
  /** Modules that must be installed for this one to work. */
  requires?: readonly string[]
  navigation?: readonly NavigationItem[]
  /** Routes below /api. */
  api?: readonly Route[]
}
