import { eq } from 'drizzle-orm'
import { createSession } from '@/core/auth/sessions'
import type { Database } from '@/core/db/client'
import { users } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'

/** The scope that data functions take, with a session that is really stored. */
export async function signedInAs(database: Database, email: string): Promise<SignedInScope> {
  const [user] = await database.select().from(users).where(eq(users.email, email))
  if (!user) throw new Error(`There is no ${email}.`)
  const device = { address: '127.0.0.1', userAgent: 'test' }
  const { session } = await createSession(database, user, device)
  return { session, bearer: false, address: '127.0.0.1', requestId: 'test' }
}
