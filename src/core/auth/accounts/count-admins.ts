import 'server-only'
import { eq } from 'drizzle-orm'
import type { Database } from '@/core/db/client'
import { users } from '@/core/db/schema'

export function countAdmins(database: Database): Promise<number> {
  return database.$count(users, eq(users.role, 'admin'))
}
