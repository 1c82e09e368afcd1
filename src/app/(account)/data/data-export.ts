import 'server-only'
import { desc, eq, or } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import { database } from '@/core/db/client'
import { accounts, auditEvents, passwords, users } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'
import { Problem } from '@/core/http/problems'
import { collectPersonalData } from '@/core/layout/installed-modules'
import { exportSessions } from './sessions'

/** Enough for years of normal use. An account under attack has more; the newest matter. */
const maxEvents = 2000

/** Everything stored about the user except credentials. */
export async function exportData(scope: SignedInScope) {
  const { id } = scope.session.user
  const [profile, linkedAccounts, sessions, events, modules] = await Promise.all([
    findProfile(id),
    findLinkedAccounts(id),
    exportSessions(scope),
    findEvents(id),
    collectPersonalData(scope),
  ])
  await recordExport(scope)
  return {
    exportedAt: new Date(),
    profile,
    linkedAccounts,
    sessions,
    events: events.slice(0, maxEvents),
    eventsTruncated: events.length > maxEvents,
    modules,
  }
}

async function findProfile(id: string) {
  const [row] = await database()
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      role: users.role,
      timeZone: users.timeZone,
      theme: users.theme,
      emailVerifiedAt: users.emailVerifiedAt,
      createdAt: users.createdAt,
      updatedAt: users.updatedAt,
      passwordChangedAt: passwords.updatedAt,
    })
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.id, id))
  if (!row) throw new Problem('unauthenticated')
  return row
}

function findLinkedAccounts(userId: string) {
  return database()
    .select({
      provider: accounts.provider,
      accountId: accounts.providerAccountId,
      linkedAt: accounts.createdAt,
    })
    .from(accounts)
    .where(eq(accounts.userId, userId))
}

/** Events by and about the user. Who another actor was, and their IP, is that actor's data. */
async function findEvents(id: string) {
  const rows = await database()
    .select()
    .from(auditEvents)
    .where(or(eq(auditEvents.actorId, id), eq(auditEvents.targetId, id)))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(maxEvents + 1)
  return rows.map(({ at, action, outcome, actorId, targetId, ip, requestId, details }) => {
    const byOther = actorId !== null && actorId !== id
    return {
      at,
      action,
      outcome,
      by: byOther ? ('another user' as const) : actorId ? ('you' as const) : ('unknown' as const),
      target: targetId === id ? 'you' : targetId,
      ip: byOther ? null : ip,
      requestId: byOther ? null : requestId,
      details,
    }
  })
}

async function recordExport({ session, ip, requestId }: SignedInScope): Promise<void> {
  const { id } = session.user
  const event = { actorId: id, targetId: id, ip, requestId }
  await record(database(), { action: 'export_data', outcome: 'success', ...event })
}
