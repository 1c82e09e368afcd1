import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createDemoAccounts, openDemoAccounts } from '@/core/auth/demo-accounts'
import { hashPassword } from '@/core/auth/password'
import { passwords, users } from '@/core/db/schema'
import { testDatabase } from '../support/database'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

const accounts = () =>
  db.database.select({ email: users.email, role: users.role }).from(users).orderBy(users.email)

test('one for each role, each open to the published password', async () => {
  expect(await accounts()).toEqual([
    { email: 'admin@example.com', role: 'admin' },
    { email: 'editor@example.com', role: 'editor' },
    { email: 'viewer@example.com', role: 'viewer' },
  ])
  expect(await openDemoAccounts(db.database)).toHaveLength(3)
})

test('one that was deleted stays deleted, one with another password is no longer open', async () => {
  await db.database.delete(users).where(eq(users.email, 'viewer@example.com'))
  await createDemoAccounts(db.database)
  expect(await accounts()).toHaveLength(2)
  const [editor] = await db.database
    .select()
    .from(users)
    .where(eq(users.email, 'editor@example.com'))
  await db.database
    .update(passwords)
    .set({ hash: await hashPassword('something of their own') })
    .where(eq(passwords.userId, editor?.id ?? ''))
  expect(await openDemoAccounts(db.database)).toEqual(['admin@example.com'])
})
