import { desc, eq } from 'drizzle-orm'
import type { Database } from '@/core/db/client'
import { accounts, auditEvents, sessions, users } from '@/core/db/schema'

/** The newest audit event. */
export async function lastEvent(database: Database) {
  const [event] = await database.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(1)
  return event
}

export async function userIdOf(database: Database, email: string): Promise<string> {
  const [user] = await database.select().from(users).where(eq(users.email, email))
  return user?.id ?? ''
}

/** Queries on a database that is opened in `beforeAll`. */
export function databaseRows(db: { readonly database: Database }) {
  return {
    /** Unchanged by a rejected request. */
    counts: async () => ({
      users: await db.database.$count(users),
      accounts: await db.database.$count(accounts),
      sessions: await db.database.$count(sessions),
    }),
    userOf: async (email: string) =>
      (await db.database.select().from(users).where(eq(users.email, email)))[0],
    accountsOf: (userId: string) =>
      db.database.select().from(accounts).where(eq(accounts.userId, userId)),
    lastEvents: async (count: number) => {
      const newest = desc(auditEvents.id)
      return (await db.database.select().from(auditEvents).orderBy(newest).limit(count)).reverse()
    },
  }
}
