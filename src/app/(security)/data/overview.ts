import 'server-only'
import { and, desc, eq, gt, isNotNull, ne, or, sql } from 'drizzle-orm'
import { type Database, database } from 'plinth/db/client'
import { accountChanges, mailQueue, sessions, users } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
import {
  authenticatorApps,
  emailChanges,
  rememberedBrowsers,
  signInChallenges,
  signInLinks,
} from '../schema'
import { findPendingChange } from './email-changes'
import { listBrowsers } from './factors/browsers'
import { findFactors } from './factors/factors'
import { wantsNotice } from './factors/new-device'
import { listPasskeys } from './factors/passkeys'

/** All that the security page shows. */
export async function findSecurity({ session: { user } }: SignedInScope) {
  const [factors, app, passkeys, browsers, newDevice] = await Promise.all([
    findFactors(user.id),
    findApp(user.id),
    listPasskeys(user.id),
    listBrowsers(user.id),
    wantsNotice(database(), user.id),
  ])
  return { factors, app, passkeys, browsers, newDevice }
}

async function findApp(userId: string) {
  const [app] = await database()
    .select({
      confirmedAt: authenticatorApps.confirmedAt,
      lastUsedAt: authenticatorApps.lastUsedAt,
    })
    .from(authenticatorApps)
    .where(and(eq(authenticatorApps.userId, userId), isNotNull(authenticatorApps.confirmedAt)))
  return app
}

/** Counts the live sessions besides the current one. */
export function countOtherSessions({ session }: SignedInScope): Promise<number> {
  const { user, id } = session
  return database().$count(
    sessions,
    and(eq(sessions.userId, user.id), ne(sessions.id, id), gt(sessions.expiresAt, sql`now()`)),
  )
}

export async function findUserEmail(reader: Database, id: string): Promise<string | undefined> {
  const [user] = await reader.select({ email: users.email }).from(users).where(eq(users.id, id))
  return user?.email
}

/** For the data export. Never a secret, a key or a hash. */
export async function exportSecurity(scope: SignedInScope) {
  const { id, email } = scope.session.user
  const [security, pendingChange, browsers, links, challenges, mail] = await Promise.all([
    findSecurity(scope),
    findPendingChange(id),
    findAllBrowsers(id),
    findTimes(signInLinks, id),
    findTimes(signInChallenges, id),
    findMailToOtherEmails(id, email),
  ])
  return {
    authenticatorApp: security.app ?? null,
    passkeys: security.passkeys,
    recoveryCodesLeft: security.factors.recoveryCodes,
    rememberedBrowsers: browsers,
    noticeOfNewDevices: security.newDevice,
    pendingEmailChange: pendingChange ?? null,
    pendingSignInLinks: links,
    pendingSignIns: challenges,
    queuedMail: mail,
  }
}

/** The page shows the newest only. */
function findAllBrowsers(userId: string) {
  return database()
    .select({
      id: rememberedBrowsers.id,
      ip: rememberedBrowsers.ip,
      userAgent: rememberedBrowsers.userAgent,
      createdAt: rememberedBrowsers.createdAt,
      lastUsedAt: rememberedBrowsers.lastUsedAt,
      expiresAt: rememberedBrowsers.expiresAt,
    })
    .from(rememberedBrowsers)
    .where(eq(rememberedBrowsers.userId, userId))
    .orderBy(desc(rememberedBrowsers.createdAt))
}

/** Times only: the rest of such a row is about its secrets. */
function findTimes(table: typeof signInLinks | typeof signInChallenges, userId: string) {
  return database()
    .select({ createdAt: table.createdAt, expiresAt: table.expiresAt })
    .from(table)
    .where(eq(table.userId, userId))
}

/**
 * Mail to the current email is in the export already. A former email may have another account by
 * now, whose mail is newer than the change.
 */
function findMailToOtherEmails(userId: string, email: string) {
  const isToFormer = sql`exists (select from ${accountChanges} where ${accountChanges.userId} = ${userId}
    and ${accountChanges.email} = ${mailQueue.email} and ${accountChanges.at} >= ${mailQueue.createdAt})`
  const isToPending = sql`exists (select from ${emailChanges} where ${emailChanges.userId} = ${userId}
    and ${emailChanges.id}::text = ${mailQueue.data} ->> 'changeId')`
  return database()
    .select({
      purpose: mailQueue.purpose,
      email: mailQueue.email,
      // Without the hash in the mail with a sign-in link.
      data: sql`${mailQueue.data} - 'browser'`.mapWith(mailQueue.data),
      createdAt: mailQueue.createdAt,
    })
    .from(mailQueue)
    .where(and(ne(mailQueue.email, email), or(isToFormer, isToPending)))
}
