import 'server-only'
import { eq } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import { beginSession } from '@/core/auth/begin-session'
import { verifyPassword } from '@/core/auth/password'
import type { Scope } from '@/core/auth/scope'
import { endSession, type NewSession } from '@/core/auth/sessions'
import { database } from '@/core/db/client'
import { passwords, users } from '@/core/db/schema'

export type Credentials = { email: string; password: string }

/**
 * A new session, or undefined: a wrong address, a wrong password and an address that nobody has
 * proved to be theirs are one and the same answer.
 */
export async function signInWithPassword(
  scope: Scope,
  { email, password }: Credentials,
  userAgent: string | undefined,
): Promise<NewSession | undefined> {
  const [found] = await database()
    .select({
      user: { id: users.id, email: users.email, name: users.name, role: users.role },
      verifiedAt: users.emailVerifiedAt,
      hash: passwords.hash,
    })
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.email, email))
  const right = await verifyPassword(found?.hash ?? undefined, password)
  if (found?.verifiedAt && right) {
    const { user } = found
    return database().transaction((transaction) =>
      beginSession(transaction, scope, user, { by: 'password', userAgent }),
    )
  }
  await record(database(), {
    ...event(scope),
    action: 'sign_in',
    outcome: 'failure',
    targetId: found?.user.id,
  })
  return undefined
}

export async function signOut(scope: Scope): Promise<void> {
  const { session } = scope
  if (!session) return
  await database().transaction(async (transaction) => {
    await endSession(transaction, session.id)
    await record(transaction, {
      ...event(scope),
      action: 'sign_out',
      outcome: 'success',
      actorId: session.user.id,
      targetId: session.user.id,
    })
  })
}

function event({ address, requestId }: Scope) {
  return { address, requestId }
}
