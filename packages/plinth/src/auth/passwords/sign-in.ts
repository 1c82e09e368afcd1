import { and, eq, sql } from 'drizzle-orm'
import { record } from '#audit/record'
import { verifyPassword } from '#auth/passwords/hash'
import { startSession } from '#auth/passwords/start-session'
import type { NewSession } from '#auth/sessions/session'
import { findPendingStep, hasSignInSteps, type PendingSignIn } from '#auth/sessions/steps'
import { type Database, database, preparedQuery } from '#db/client'
import { isAccountFrozen } from '#db/errors'
import { passwords, users } from '#db/schema'
import type { Scope, SessionUser } from '#http/scope'

export type Credentials = { email: string; password: string }

const findByEmail = preparedQuery((database) =>
  database
    .select({
      user: {
        id: users.id,
        email: users.email,
        name: users.name,
        role: users.role,
        theme: users.theme,
      },
      verifiedAt: users.emailVerifiedAt,
      hash: passwords.hash,
    })
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.email, sql.placeholder('email')))
    .prepare('find_credentials'),
)

/**
 * Undefined for an unknown email, a wrong password and an unverified email alike. Throws if the account
 * is frozen, which only the right password reveals.
 */
export async function signInWithPassword(
  scope: Scope,
  { email, password }: Credentials,
): Promise<NewSession | PendingSignIn | undefined> {
  const [found] = await findByEmail(database()).execute({ email })
  const matches = await verifyPassword(found?.hash ?? undefined, password)
  const verified = found?.verifiedAt && matches ? found : undefined
  const { ip, requestId } = scope
  const event = { action: 'sign_in', targetId: found?.user.id, ip, requestId }
  try {
    const signedIn = verified && (await takeNextStep(scope, verified.user, verified.hash ?? ''))
    if (signedIn) return signedIn
  } catch (error) {
    if (isAccountFrozen(error)) await record(database(), { ...event, ...frozenDenial('password') })
    throw error
  }
  await record(database(), { ...event, outcome: 'failure' })
  return undefined
}

/** The audit event of a sign-in that would have succeeded. */
export function frozenDenial(by: string) {
  return { outcome: 'denied' as const, details: { by, reason: 'account_frozen' } }
}

/** Undefined if the password is no longer the one with this hash, or the account was deleted. */
async function takeNextStep(
  scope: Scope,
  user: SessionUser,
  hash: string,
): Promise<NewSession | PendingSignIn | undefined> {
  if (!hasSignInSteps()) return startSession(scope, user, hash)
  const pending = await database().transaction(async (transaction) =>
    (await lockPassword(transaction, user.id, hash))
      ? findPendingStep(transaction, scope, { user, by: 'password' })
      : undefined,
  )
  return pending ?? startSession(scope, user, hash)
}

async function lockPassword(transaction: Database, userId: string, hash: string): Promise<boolean> {
  const locked = await transaction
    .select({ userId: passwords.userId })
    .from(passwords)
    .where(and(eq(passwords.userId, userId), eq(passwords.hash, hash)))
    .for('share')
  return locked.length > 0
}
