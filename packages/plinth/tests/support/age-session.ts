import { eq, sql } from 'drizzle-orm'
import type { Database } from '#db/client'
import { sessions } from '#db/schema'
import type { SignedInScope } from '#guard/policy'

/** Makes the sign-in of all sessions of a user eleven minutes old. */
export async function ageSignIn(database: Database, userId: string): Promise<void> {
  await database
    .update(sessions)
    .set({ authenticatedAt: sql`now() - interval '11 minutes'` })
    .where(eq(sessions.userId, userId))
}

/** The same scope after eleven minutes, stored and in memory. */
export async function agedScope(database: Database, scope: SignedInScope): Promise<SignedInScope> {
  await ageSignIn(database, scope.session.user.id)
  const authenticatedAt = new Date(Date.now() - 11 * 60_000)
  return { ...scope, session: { ...scope.session, authenticatedAt } }
}
