import 'server-only'
import { desc, eq, or } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import { database } from '@/core/db/client'
import { accounts, auditEvents, passwords, users } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'
import { personalDataOf } from '@/core/shell/installed'
import { listSessions } from './sessions'

/** Enough for years of what people do; somebody who is attacked has more, and the newest matter. */
const eventsAtMost = 2000
const sessionsAtMost = 1000

/** Everything that is stored about the person, but for what would let somebody in. */
export async function gatherOwnData(scope: SignedInScope) {
  const { id } = scope.session.user
  const [profile, linked, sessions, events, modules] = await Promise.all([
    findProfile(id),
    findLinked(id),
    listSessions(scope, sessionsAtMost),
    findEvents(id),
    personalDataOf(scope),
  ])
  await recordDownload(scope)
  return {
    gatheredAt: new Date(),
    profile,
    linkedAccounts: linked,
    sessions,
    events: events.slice(0, eventsAtMost),
    olderEventsLeftOut: events.length > eventsAtMost,
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
      emailVerifiedAt: users.emailVerifiedAt,
      createdAt: users.createdAt,
      updatedAt: users.updatedAt,
      passwordChangedAt: passwords.updatedAt,
    })
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.id, id))
  return row
}

function findLinked(userId: string) {
  return database()
    .select({
      provider: accounts.provider,
      accountId: accounts.providerAccountId,
      linkedAt: accounts.createdAt,
    })
    .from(accounts)
    .where(eq(accounts.userId, userId))
}

/** What they did, and what was done to them. Who else took part, and from where, is not theirs. */
async function findEvents(id: string) {
  const rows = await database()
    .select()
    .from(auditEvents)
    .where(or(eq(auditEvents.actorId, id), eq(auditEvents.targetId, id)))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(eventsAtMost + 1)
  return rows.map(({ at, action, outcome, actorId, targetId, address, requestId, details }) => {
    const byOther = actorId !== null && actorId !== id
    return {
      at,
      action,
      outcome,
      by: byOther ? ('somebody else' as const) : actorId ? ('you' as const) : ('unknown' as const),
      target: targetId === id ? 'you' : targetId,
      address: byOther ? null : address,
      requestId: byOther ? null : requestId,
      details,
    }
  })
}

async function recordDownload({ session, address, requestId }: SignedInScope): Promise<void> {
  const { id } = session.user
  const event = { actorId: id, targetId: id, address, requestId }
  await record(database(), { action: 'download_data', outcome: 'success', ...event })
}
