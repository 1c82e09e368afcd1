import 'server-only'
import { record } from '@/core/audit/record'
import type { LiveSession, Scope } from '@/core/auth/scope'
import { createSession, endSession, type NewSession } from '@/core/auth/sessions'
import type { Database } from '@/core/db/client'

type Way = { by: string; userAgent: string | undefined }

/** Always a new token; whoever was signed in before on this device no longer is. */
export async function beginSession(
  transaction: Database,
  scope: Scope,
  user: LiveSession['user'],
  { by, userAgent }: Way,
): Promise<NewSession> {
  const { session, address, requestId } = scope
  if (session) await endSession(transaction, session.id)
  const created = await createSession(transaction, user, { address, userAgent })
  await record(transaction, {
    action: 'sign_in',
    outcome: 'success',
    actorId: user.id,
    targetId: user.id,
    address,
    requestId,
    details: { by },
  })
  return created
}
