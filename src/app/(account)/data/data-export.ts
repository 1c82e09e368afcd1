import 'server-only'
import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { record } from 'plinth/audit/record'
import { database } from 'plinth/db/client'
import { type Order, readAll } from 'plinth/db/list'
import {
  accountChanges,
  accounts,
  auditEvents,
  failedMail,
  mailQueue,
  type NamedMethod,
  passwords,
  users,
  verificationTokens,
} from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
import { Problem } from 'plinth/http/problems'
import { collectPersonalData } from 'plinth/modules/installed-modules'
import { exportSessions } from './sessions'

/** Everything stored about the user except credentials. Long lists are read while they are sent. */
export async function exportData(scope: SignedInScope) {
  const { id, email } = scope.session.user
  await recordExport(scope)
  const [profile, linkedAccounts, changes, sessions, links, queuedMail, modules] =
    await Promise.all([
      findProfile(id),
      findLinkedAccounts(id),
      findChanges(id),
      exportSessions(scope),
      findLinks(id, email),
      findQueuedMail(email),
      collectPersonalData(scope),
    ])
  const lists = {
    linkedAccounts,
    signInChanges: changes,
    sessions,
    links,
    queuedMail,
    events: readEvents(id),
  }
  return { exportedAt: new Date(), profile, ...lists, modules }
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

/** Changes that a recovery could undo. The ids of methods are left out, because some are hashes. */
async function findChanges(userId: string) {
  const { at, email, newEmail, by, added, removed, endsAt } = accountChanges
  const changes = await database()
    .select({ at, email, newEmail, by, added, removed, endsAt })
    .from(accountChanges)
    .where(eq(accountChanges.userId, userId))
    .orderBy(accountChanges.position)
  return changes.map(({ added, removed, endsAt, ...change }) => ({
    ...change,
    added: added.map(withoutId),
    removed: removed.map(withoutId),
    linkEndsAt: endsAt,
  }))
}

const withoutId = ({ kind, name }: NamedMethod) => ({ kind, name })

/** Links that were sent and not used yet. */
function findLinks(userId: string, email: string) {
  return database()
    .select({
      purpose: verificationTokens.purpose,
      email: verificationTokens.email,
      createdAt: verificationTokens.createdAt,
      expiresAt: verificationTokens.expiresAt,
    })
    .from(verificationTokens)
    .where(or(eq(verificationTokens.userId, userId), eq(verificationTokens.email, email)))
}

/** Also that which was given up. */
async function findQueuedMail(email: string) {
  const { purpose, data, createdAt } = mailQueue
  const queued = database().select({ purpose, data, createdAt }).from(mailQueue)
  const failed = database()
    .select({ purpose: failedMail.purpose, data: failedMail.data, createdAt: failedMail.createdAt })
    .from(failedMail)
  return [
    ...(await queued.where(eq(mailQueue.email, email))),
    ...(await failed.where(eq(failedMail.email, email))),
  ]
}

const newestFirst: Order = { key: auditEvents.at, id: auditEvents.id, direction: 'desc' }

/** Events by and about the user. Who another actor was, and their IP, is that actor's data. */
async function* readEvents(id: string) {
  const rows = readAll(
    { order: newestFirst, keyOf: ({ at }: typeof auditEvents.$inferSelect) => at },
    ({ where, orderBy, limit }) => {
      const select = (condition: SQL | undefined) =>
        database()
          .select()
          .from(auditEvents)
          .where(and(condition, where))
          .orderBy(...orderBy)
          .limit(limit)
      const byUser = select(eq(auditEvents.actorId, id))
      const aboutUser = select(
        and(eq(auditEvents.targetId, id), sql`${auditEvents.actorId} is distinct from ${id}`),
      )
      // Two index scans: one query for both would read and sort all events of the user.
      return unionAll(byUser, aboutUser)
        .orderBy(...orderBy)
        .limit(limit)
    },
  )
  for await (const row of rows) yield eventOf(id, row)
}

function eventOf(id: string, event: typeof auditEvents.$inferSelect) {
  const { at, action, outcome, actorId, targetId, ip, requestId, details } = event
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
}

async function recordExport({ session, ip, requestId }: SignedInScope): Promise<void> {
  const { id } = session.user
  const event = { actorId: id, targetId: id, ip, requestId }
  await record(database(), { action: 'export_data', outcome: 'success', ...event })
}
