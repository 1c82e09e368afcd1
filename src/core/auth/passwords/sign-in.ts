import 'server-only'
import { eq, sql } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import { verifyPassword } from '@/core/auth/passwords/hash'
import { type NewSession, replaceSession } from '@/core/auth/sessions/session'
import { database } from '@/core/db/client'
import { preparedQuery } from '@/core/db/prepared-query'
import { passwords, users } from '@/core/db/schema'
import type { Scope, SessionUser } from '@/core/http/scope'

export type Credentials = { email: string; password: string }

const findByEmail = preparedQuery((database) =>
  database
    .select({
      user: { id: users.id, email: users.email, name: users.name, role: users.role },
      verifiedAt: users.emailVerifiedAt,
      hash: passwords.hash,
    })
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.email, sql.placeholder('email')))
    .prepare('find_credentials'),
)

/** Undefined for an unknown email, a wrong password and an unverified email alike. */
export async function signInWithPassword(
  scope: Scope,
  { email, password }: Credentials,
): Promise<NewSession | undefined> {
  const [found] = await findByEmail(database()).execute({ email })
  const matches = await verifyPassword(found?.hash ?? undefined, password)
  const verified =
    found?.verifiedAt && matches ? { ...found.user, hash: found.hash ?? '' } : undefined
  const created = verified && (await startSession(scope, verified))
  if (created) return created
  const { ip, requestId } = scope
  const targetId = found?.user.id
  await record(database(), { action: 'sign_in', outcome: 'failure', targetId, ip, requestId })
  return undefined
}

/** Undefined if the password was changed or the account deleted during the check. */
function startSession(
  scope: Scope,
  { hash, ...user }: SessionUser & { hash: string },
): Promise<NewSession | undefined> {
  return database().transaction(async (transaction) => {
    // A password change locks the user first. It has either committed by now, or waits for this
    // transaction and then revokes this session with the others.
    await transaction
      .select({ id: users.id })
      .from(users)
      .where(eq(users.id, user.id))
      .for('share')
      .prepare('lock_user')
      .execute()
    const [current] = await transaction
      .select({ hash: passwords.hash })
      .from(passwords)
      .where(eq(passwords.userId, user.id))
      .prepare('read_hash')
      .execute()
    if (current?.hash !== hash) return undefined
    const created = await replaceSession(transaction, scope, user, { by: 'password' })
    await record(transaction, {
      action: 'sign_in',
      outcome: 'success',
      actorId: user.id,
      targetId: user.id,
      ip: scope.ip,
      requestId: scope.requestId,
      details: { by: 'password' },
    })
    return created
  })
}
