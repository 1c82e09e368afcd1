import type { Database } from '@/core/db/client'

/** A module lists its own in `tests/page-budgets.ts`. */
export type PageBudget = {
  path: string
  maxKilobytes: number
  /** Creates what the page shows to `userId`, who is an admin. */
  prepare?: (database: Database, userId: string) => Promise<void>
}
