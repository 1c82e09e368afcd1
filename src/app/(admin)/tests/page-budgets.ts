import type { PageBudget } from '@tests/support/page-weight/page-budget'
import { createAuditEvents, createUsers } from '@tests/support/page-weight/realistic-data'

export const budgets: PageBudget[] = [
  {
    path: '/admin/users',
    maxKilobytes: 40,
    async prepare(database) {
      await createAuditEvents(database, await createUsers(database, 300), 120)
    },
  },
  { path: '/admin/audit', maxKilobytes: 60 },
  { path: '/admin', maxKilobytes: 40 },
]
