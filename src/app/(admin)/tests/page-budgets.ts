import { accountChanges, recoveries } from 'plinth/db/schema'
import { createAuditEvents, createUsers, type PageBudget } from 'plinth/testing/server'

/** The id of a deleted account. */
const recovered = '00000000-0000-4000-8000-000000000001'

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
  {
    path: `/admin/users/${recovered}/recovery`,
    maxKilobytes: 60,
    async prepare(database) {
      const now = Date.now()
      const email = (index: number) => `mailbox-${index}@department.organization.example.com`
      await database.insert(accountChanges).values(
        Array.from({ length: 20 }, (_, index) => ({
          userId: recovered,
          at: new Date(now - 1e6 + index),
          email: email(index),
          newEmail: email(index + 1),
          added: [],
          removed: [],
          by: 'user' as const,
          confirmed: false,
          link: 'open' as const,
          deliveredAt: new Date(now),
          endsAt: new Date(now + 1e8),
        })),
      )
      await database.insert(recoveries).values({
        userId: recovered,
        openedAt: new Date(now),
        openedBy: [email(0)],
        state: 'waiting',
        readyAt: new Date(now + 1e8),
      })
    },
  },
]
