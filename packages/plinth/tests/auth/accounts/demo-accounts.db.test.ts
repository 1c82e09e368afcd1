import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createDemoAccounts, findOpenDemoAccounts } from '#auth/accounts/users'
import { hashPassword } from '#auth/passwords/hash'
import { passwords, users } from '#db/schema'
import { testDatabase } from '#testing/database/database'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

const accounts = () =>
  db.database.select({ email: users.email, role: users.role }).from(users).orderBy(users.email)

test('creates one account for each role with the published password', async () => {
  expect(await accounts()).toEqual([
    { email: 'admin@example.com', role: 'admin' },
    { email: 'editor@example.com', role: 'editor' },
    { email: 'viewer@example.com', role: 'viewer' },
  ])
  expect(await findOpenDemoAccounts(db.database)).toHaveLength(3)
})

test('does not recreate a deleted account, and ignores one with another password', async () => {
  await db.database.delete(users).where(eq(users.email, 'viewer@example.com'))
  await createDemoAccounts(db.database)
  expect(await accounts()).toHaveLength(2)
  const [editor] = await db.database
    .select()
    .from(users)
    .where(eq(users.email, 'editor@example.com'))
  await db.database
    .update(passwords)
    .set({ hash: await hashPassword('another password entirely') })
    .where(eq(passwords.userId, editor?.id ?? ''))
  expect(await findOpenDemoAccounts(db.database)).toEqual(['admin@example.com'])
})
