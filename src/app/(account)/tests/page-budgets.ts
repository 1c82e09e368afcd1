import type { PageBudget } from '@tests/support/page-weight/page-budget'
import { createSessions } from '@tests/support/page-weight/realistic-data'
import { accounts } from '@/core/db/schema'

export const budgets: PageBudget[] = [
  {
    path: '/account',
    maxKilobytes: 50,
    async prepare(database, userId) {
      await createSessions(database, userId, 30)
      for (const provider of ['github', 'google']) {
        await database.insert(accounts).values({ provider, providerAccountId: '583231', userId })
      }
    },
  },
]
