import type { Hono } from 'hono'
import type { ApiEnvironment } from '@/core/http/context'
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
  api?: Hono<ApiEnvironment>
}
