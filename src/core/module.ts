import type { Predicate, SignedInScope } from '@/core/guard/policy'
import type { Route } from '@/core/guard/route'
import type { NavigationItem } from '@/core/ui/navigation'

/**
 * A module's whole face to the rest: the folder `src/app/(id)` exports one of these. What it is,
 * and what it needs, is in its package.json, which can be read without running anything.
 */
export type Module = {
  id: string
  /** Shown to those who may use what it leads to. */
  navigation?: readonly (NavigationItem & { who: Predicate })[]
  /**
   * In the menu of whoever is signed in, whatever their role: pages that are rendered before anybody
   * asks for them have that menu too.
   */
  personMenu?: readonly NavigationItem[]
  /** What it holds about whoever asks, for them to take away. */
  personalData?: (scope: SignedInScope) => Promise<unknown>
  /** Routes below /api. */
  api?: readonly Route[]
}
