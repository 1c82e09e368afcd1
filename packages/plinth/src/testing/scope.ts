import { eq } from 'drizzle-orm'
import { createSession, type NewSession } from '#auth/sessions/session'
import { isPending, type PendingSignIn } from '#auth/sessions/steps'
import type { Database } from '#db/client'
import { users } from '#db/schema'
import type { SignedInScope } from '#guard/policy'
import type { Scope, Session } from '#http/scope'
import type { Role } from '#universal/users'

let scopes = 0

/** A scope with its own IP, for functions that are called without a request. */
export function newScope(session?: Session): Scope {
  scopes += 1
  return {
    session,
    bearer: false,
    ip: `198.51.100.${scopes % 256}:${scopes}`,
    requestId: `test-${scopes}`,
  }
}

/** A scope whose session exists nowhere else. */
export function scopeWithRole(role: Role): SignedInScope {
  const user = { id: 'user-1', email: 'user@example.com', name: 'User', role }
  const now = new Date()
  const times = { createdAt: now, expiresAt: now, authenticatedAt: now }
  const session = { id: 'session', user, ...times, authenticatedBy: 'password' }
  return { ...newScope(), session }
}

/** The session of a sign-in that nothing has to follow. */
export function sessionOf(signedIn: NewSession | PendingSignIn | undefined): NewSession {
  if (!signedIn || isPending(signedIn)) throw new Error('The sign-in created no session.')
  return signedIn
}

/** A scope with a stored session. */
export async function signedInScope(database: Database, email: string): Promise<SignedInScope> {
  const [user] = await database.select().from(users).where(eq(users.email, email))
  if (!user) throw new Error(`No user has the email ${email}.`)
  const device = { ip: '127.0.0.1', userAgent: 'test' }
  const { session } = await createSession(database, user, device, { by: 'password' })
  return { session, bearer: false, ip: '127.0.0.1', requestId: 'test' }
}
