import 'server-only'
import { eq } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import { verifyPassword } from '@/core/auth/passwords/hash'
import { database } from '@/core/db/client'
import { passwords } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'
import { passwordRateLimited } from '@/core/guard/rate-limited'
import { attemptPassword } from '@/core/rate-limits/password-attempts'
import { type ActionError, refuse } from '@/core/ui/action-result'

/**
 * A session alone does not prove that its owner is present: the screen may have been left unlocked.
 * A wrong password counts as a failed sign-in. The result stays valid in the mutation that follows:
 * changing the password meanwhile revokes this session, and the mutation re-reads it.
 */
export async function verifyCurrentPassword(
  scope: SignedInScope,
  action: string,
  password: string | undefined,
): Promise<'verified' | 'no_password' | ActionError> {
  const hash = await findHash(scope.session.user.id)
  if (hash === undefined) return 'no_password'
  if (password === undefined) return wrongPassword('Enter your password.')
  const { email } = scope.session.user
  const attempt = await attemptPassword(scope.ip, email, async () =>
    (await verifyPassword(hash, password)) ? true : undefined,
  )
  if (attempt.refused) return passwordRateLimited(attempt.refused)
  if (attempt.result) return 'verified'
  await recordFailure(scope, action)
  return wrongPassword('The password is incorrect.')
}

async function findHash(userId: string): Promise<string | undefined> {
  const [row] = await database()
    .select({ hash: passwords.hash })
    .from(passwords)
    .where(eq(passwords.userId, userId))
  return row?.hash
}

function wrongPassword(message: string): ActionError {
  return refuse('invalid', undefined, [{ field: 'currentPassword', message }])
}

async function recordFailure({ session, ip, requestId }: SignedInScope, action: string) {
  await record(database(), {
    action,
    outcome: 'failure',
    actorId: session.user.id,
    targetId: session.user.id,
    ip,
    requestId,
    details: { reason: 'wrong_password' },
  })
}
