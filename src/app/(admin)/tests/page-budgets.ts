import { createAuditEvents, createUsers, type PageBudget } from '@tests/support/page-weight'

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
