import 'server-only'
import { and, desc, eq } from 'drizzle-orm'
import { database } from 'plinth/db/client'
import { auditEvents } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'

const shown = 5

/** The newest attempts to sign in to the user's account, also those that failed. */
export async function listSignIns({ session }: SignedInScope) {
  const rows = await database()
    .select({
      id: auditEvents.id,
      at: auditEvents.at,
      outcome: auditEvents.outcome,
      ip: auditEvents.ip,
    })
    .from(auditEvents)
    .where(and(eq(auditEvents.targetId, session.user.id), eq(auditEvents.action, 'sign_in')))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(shown)
  return rows.map(({ id, at, outcome, ip }) => ({
    id,
    at,
    succeeded: outcome === 'success',
    ip: ip ?? 'unknown',
  }))
}
