import 'server-only'
import { eq } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import { reserveHash, verifyPassword } from '@/core/auth/passwords/hash'
import { database } from '@/core/db/client'
import { passwords } from '@/core/db/schema'
import type { Scope, Session } from '@/core/http/scope'
import { attemptPassword } from '@/core/rate-limits/password-attempts'
import type { RateLimitResult } from '@/core/rate-limits/rate-limit'

export type CurrentPasswordCheck =
  | 'verified'
  | 'no_password'
  | 'wrong'
  | { refused: RateLimitResult }

/**
 * A session alone does not prove that its owner is present: its token may be stolen, or the screen
 * left unlocked. A wrong password counts as a failed sign-in and is an event of `action`. The result
 * stays valid in the mutation that follows: changing the password meanwhile revokes this session,
 * and the mutation reads it again.
 */
export function verifyCurrentPassword(
  scope: Scope & { session: Session },
  action: string,
  password: string,
): Promise<CurrentPasswordCheck> {
  return reserveHash(scope, async () => {
    const { id, email } = scope.session.user
    const hash = await findHash(id)
    if (hash === undefined) return 'no_password'
    const attempt = await attemptPassword(scope, email, async () =>
      (await verifyPassword(hash, password)) ? true : undefined,
    )
    if (attempt.refused) return { refused: attempt.refused }
    if (attempt.result) return 'verified'
    await record(database(), {
      action,
      outcome: 'failure',
      actorId: id,
      targetId: id,
      ip: scope.ip,
      requestId: scope.requestId,
      details: { reason: 'wrong_password' },
    })
    return 'wrong'
  })
}

export async function hasPassword(userId: string): Promise<boolean> {
  return (await findHash(userId)) !== undefined
}

async function findHash(userId: string): Promise<string | undefined> {
  const [row] = await database()
    .select({ hash: passwords.hash })
    .from(passwords)
    .where(eq(passwords.userId, userId))
  return row?.hash
}
