import { desc, eq } from 'drizzle-orm'
import type { Database } from '@/core/db/client'
import { auditEvents, users } from '@/core/db/schema'

/** The newest event of the audit trail. */
export async function lastEvent(database: Database) {
  const [event] = await database.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(1)
  return event
}

export async function idOf(database: Database, email: string): Promise<string> {
  const [user] = await database.select().from(users).where(eq(users.email, email))
  return user?.id ?? ''
}
