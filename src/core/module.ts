import type { Predicate } from '@/core/guard/policy'
import type { Route } from '@/core/guard/route'
import type { NavigationItem } from '@/core/ui/navigation'

/** A module's whole face to the rest: the folder `src/app/(id)` exports one of these. */
export type Module = {
  id: string
  title: string
  description: string
  /** Modules that must be installed for this one to work. */
  requires?: readonly string[]
  /** Shown to those who may use what it leads to. */
  navigation?: readonly (NavigationItem & { who: Predicate })[]
  /** Routes below /api. */
  api?: readonly Route[]
}
