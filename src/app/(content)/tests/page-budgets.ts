import type { PageBudget } from 'plinth/testing/server'
import { articles } from '../schema'

const titles = [
  'Release notes',
  'How we moved 40 million rows without downtime',
  'Opening hours over the holidays, and what they mean for support',
]

export const budgets: PageBudget[] = [
  {
    path: '/articles',
    maxKilobytes: 40,
    async prepare(database, authorId) {
      await database.insert(articles).values(
        Array.from({ length: 25 }, (_, index) => ({
          title: `${titles[index % titles.length]} ${index}`,
          body: 'A paragraph of an article. '.repeat(100),
          publishedAt: index % 5 === 0 ? null : new Date(),
          authorId,
        })),
      )
    },
  },
  { path: '/articles/new', maxKilobytes: 20 },
]
