import { randomBytes } from 'node:crypto'
import type { PageBudget } from 'plinth/testing/server'
import { authenticatorApps, emailChanges, recoveryCodes, rememberedBrowsers } from '../schema'

const maxKilobytes = 50

export const budgets: PageBudget[] = [
  {
    path: '/account/security',
    maxKilobytes,
    async prepare(database, userId) {
      const app = { userId, secret: randomBytes(48), keyId: 'test', confirmedAt: new Date() }
      await database.insert(authenticatorApps).values(app).onConflictDoNothing()
      await database.insert(recoveryCodes).values({ userId, codeHash: randomBytes(32) })
      for (let count = 0; count < 10; count += 1) {
        await database.insert(rememberedBrowsers).values({
          userId,
          deviceHash: randomBytes(32),
          ip: '2001:db8::1',
          expiresAt: new Date(Date.now() + 1e9),
        })
      }
    },
  },
  {
    path: '/account/email',
    maxKilobytes,
    async prepare(database, userId) {
      const expiresAt = new Date(Date.now() + 1e9)
      const change = { userId, id: crypto.randomUUID(), email: 'new@example.org', expiresAt }
      await database.insert(emailChanges).values(change).onConflictDoNothing()
    },
  },
  { path: '/account/email/confirm', maxKilobytes },
  { path: '/recover/factor', maxKilobytes },
]
