import { accounts } from 'plinth/db/schema'
import { createSessions, type PageBudget } from 'plinth/testing/server'

const maxKilobytes = 50

export const budgets: PageBudget[] = [
  { path: '/account', maxKilobytes },
  { path: '/account/sign-in', maxKilobytes },
  {
    path: '/account/sessions',
    maxKilobytes,
    prepare: (database, userId) => createSessions(database, userId, 30),
  },
  {
    path: '/account/connected',
    maxKilobytes,
    async prepare(database, userId) {
      for (const provider of ['github', 'google']) {
        await database.insert(accounts).values({ provider, providerAccountId: '583231', userId })
      }
    },
  },
  { path: '/account/data', maxKilobytes },
]
