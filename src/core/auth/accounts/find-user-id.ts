import 'server-only'
import { eq } from 'drizzle-orm'
import type { Database } from '@/core/db/client'
import { users } from '@/core/db/schema'

export async function findUserId(reader: Database, email: string): Promise<string | undefined> {
  const [user] = await reader.select({ id: users.id }).from(users).where(eq(users.email, email))
  return user?.id
}
