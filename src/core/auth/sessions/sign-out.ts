import 'server-only'
import { record } from '@/core/audit/record'
import { revokeSession } from '@/core/auth/sessions/session'
import { database } from '@/core/db/client'
import type { Scope } from '@/core/http/scope'

export async function signOut({ session, ip, requestId }: Scope): Promise<void> {
  if (!session) return
  await database().transaction(async (transaction) => {
    await revokeSession(transaction, session.id)
    await record(transaction, {
      action: 'sign_out',
      outcome: 'success',
      actorId: session.user.id,
      targetId: session.user.id,
      ip,
      requestId,
    })
  })
}
