import { eq } from 'drizzle-orm'
import { createSession } from '@/core/auth/sessions/session'
import type { Database } from '@/core/db/client'
import { users } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'

/** A scope with a stored session. */
export async function signedInScope(database: Database, email: string): Promise<SignedInScope> {
  const [user] = await database.select().from(users).where(eq(users.email, email))
  if (!user) throw new Error(`No user has the email ${email}.`)
  const device = { ip: '127.0.0.1', userAgent: 'test' }
  const { session } = await createSession(database, user, device, { by: 'password' })
  return { session, bearer: false, ip: '127.0.0.1', requestId: 'test' }
}
