import { record } from '#audit/record'
import { reserveHash, verifyPassword } from '#auth/passwords/hash'
import { findHash } from '#auth/passwords/user-password'
import { database } from '#db/client'
import type { Scope, Session } from '#http/scope'
import { attemptPassword } from '#rate-limits/password-attempts'
import type { RateLimitResult } from '#rate-limits/rate-limit'

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
