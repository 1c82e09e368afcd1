import 'server-only'
import { eq } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import { verifyPassword } from '@/core/auth/password'
import { database } from '@/core/db/client'
import { passwords } from '@/core/db/schema'
import { type Refusal, refuse } from '@/core/guard/action-result'
import type { SignedInScope } from '@/core/guard/policy'
import { wrongTooOften } from '@/core/guard/too-often'
import { tryPassword } from '@/core/limits/failures'

/**
 * A session alone does not prove who sits there: somebody may have left a screen unlocked. Wrong
 * passwords count as failed sign-ins do. What is proved holds for as long as the session: whoever
 * changes the password meanwhile ends it, and the change that follows asks for it again.
 */
export async function provePassword(
  scope: SignedInScope,
  action: string,
  password: string | undefined,
): Promise<'proved' | 'no_password' | Refusal> {
  const hash = await hashOf(scope.session.user.id)
  if (hash === undefined) return 'no_password'
  if (password === undefined) return wrong('Enter your password.')
  const { email } = scope.session.user
  const tried = await tryPassword(scope.address, email, async () =>
    (await verifyPassword(hash, password)) ? true : undefined,
  )
  if (tried.refused) return wrongTooOften(tried.refused)
  if (tried.result) return 'proved'
  await recordFailure(scope, action)
  return wrong('This is not your password.')
}

async function hashOf(userId: string): Promise<string | undefined> {
  const [row] = await database()
    .select({ hash: passwords.hash })
    .from(passwords)
    .where(eq(passwords.userId, userId))
  return row?.hash
}

function wrong(message: string): Refusal {
  return refuse('invalid', undefined, [{ field: 'currentPassword', message }])
}

async function recordFailure({ session, address, requestId }: SignedInScope, action: string) {
  await record(database(), {
    action,
    outcome: 'failure',
    actorId: session.user.id,
    targetId: session.user.id,
    address,
    requestId,
    details: { reason: 'wrong_password' },
  })
}
