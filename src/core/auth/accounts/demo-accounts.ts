import 'server-only'
import { eq, inArray, sql } from 'drizzle-orm'
import { hashPassword, verifyPassword } from '@/core/auth/passwords/hash'
import { roles } from '@/core/config/users'
import type { Database } from '@/core/db/client'
import { passwords, users } from '@/core/db/schema'

export const demoPassword = 'plinth-demo-1'

const demoAccounts = roles.map((role) => ({
  email: `${role}@example.com`,
  name: `Demo ${role[0]?.toUpperCase()}${role.slice(1)}`,
  role,
  emailVerifiedAt: sql`now()`,
}))

/** Only into a database without users: a deleted demo account stays deleted. */
export async function createDemoAccounts(database: Database): Promise<void> {
  const hash = await hashPassword(demoPassword)
  await database.transaction(async (transaction) => {
    if ((await transaction.$count(users)) > 0) return
    const created = await transaction.insert(users).values(demoAccounts).returning({ id: users.id })
    await transaction.insert(passwords).values(created.map(({ id }) => ({ userId: id, hash })))
  })
}

/** The emails that the published password still signs in. */
export async function findOpenDemoAccounts(database: Database): Promise<string[]> {
  const emails = demoAccounts.map(({ email }) => email)
  const rows = await database
    .select({ email: users.email, hash: passwords.hash })
    .from(users)
    .innerJoin(passwords, eq(passwords.userId, users.id))
    .where(inArray(users.email, emails))
    .orderBy(users.createdAt, users.email)
  const open = await Promise.all(rows.map(({ hash }) => verifyPassword(hash, demoPassword)))
  return rows.filter((_, index) => open[index]).map(({ email }) => email)
}
