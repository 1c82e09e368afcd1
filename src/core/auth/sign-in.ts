import 'server-only'
import { eq } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import { verifyPassword } from '@/core/auth/password'
import type { LiveSession, Scope } from '@/core/auth/scope'
import { createSession, endSession, type NewSession } from '@/core/auth/sessions'
import { type Database, database } from '@/core/db/client'
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
  const proved = found?.verifiedAt && right ? { ...found.user, hash: found.hash ?? '' } : undefined
  const created = proved && (await begin(scope, proved, userAgent))
  if (created) return created
  await record(database(), {
    ...event(scope),
    action: 'sign_in',
    outcome: 'failure',
    targetId: found?.user.id,
  })
  return undefined
}

/** Undefined when the password was changed, or the account deleted, while it was compared. */
function begin(
  scope: Scope,
  { hash, ...user }: LiveSession['user'] & { hash: string },
  userAgent: string | undefined,
): Promise<NewSession | undefined> {
  return database().transaction(async (transaction) => {
    // Whoever changes it locks the person first: they have finished by now, or wait for this and
    // then end this session with the others.
    await transaction.select({ id: users.id }).from(users).where(eq(users.id, user.id)).for('share')
    const [current] = await transaction
      .select({ hash: passwords.hash })
      .from(passwords)
      .where(eq(passwords.userId, user.id))
    if (current?.hash !== hash) return undefined
    const created = await replaceSession(transaction, scope, user, userAgent)
    await record(transaction, {
      ...event(scope),
      action: 'sign_in',
      outcome: 'success',
      actorId: user.id,
      targetId: user.id,
      details: { by: 'password' },
    })
    return created
  })
}

/** Always a new token; whoever was signed in before on this device no longer is. */
export async function replaceSession(
  transaction: Database,
  { session, address }: Scope,
  user: LiveSession['user'],
  userAgent: string | undefined,
): Promise<NewSession> {
  if (session) await endSession(transaction, session.id)
  return createSession(transaction, user, { address, userAgent })
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
