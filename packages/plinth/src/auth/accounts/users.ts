import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { record } from '#audit/record'
import { eraseAccount } from '#auth/accounts/deleted-accounts/erasure'
import { unlessEmailTaken } from '#auth/accounts/email-owner'
import { createLink, linkUrl } from '#auth/accounts/links'
import { hashPassword, verifyPassword } from '#auth/passwords/hash'
import { StartupError } from '#config/env'
import { restartChangeLog } from '#db/change-log-sweep'
import { type Database, database, runInBackground } from '#db/client'
import {
  failedMail,
  mailQueue,
  passwords,
  recoveryProofs,
  sessions,
  users,
  verificationTokens,
} from '#db/schema'
import { demoPassword, roles, type Theme } from '#universal/users'

export type NewAdmin = { created: boolean; link: string }

/** For operators with access to the database. Creates the account, or promotes an existing one. */
export function createAdmin(email: string): Promise<NewAdmin> {
  return database().transaction(async (transaction) => {
    const [created] =
      (await unlessEmailTaken(transaction, (savepoint) =>
        savepoint
          .insert(users)
          .values({ email, name: nameFrom(email), role: 'admin' })
          .returning({ id: users.id }),
      )) ?? []
    const [promoted] = created
      ? []
      : await transaction
          .update(users)
          .set({ role: 'admin', updatedAt: sql`now()` })
          .where(eq(users.email, email))
          .returning({ id: users.id })
    const userId = (created ?? promoted)?.id
    if (userId === undefined) throw new StartupError(reservedEmail)
    const token = await createLink(transaction, 'reset_password', { email, userId })
    await record(transaction, {
      action: 'create_admin',
      outcome: 'success',
      targetId: userId,
      ip: 'command line',
      requestId: '',
      details: { created: created !== undefined },
    })
    return { created: created !== undefined, link: linkUrl('reset_password', token) }
  })
}

const reservedEmail =
  'Another account has left this email recently and can still be recovered with it. Use another email.'

/** A placeholder that the user can change. */
function nameFrom(email: string): string {
  return email.slice(0, Math.min(email.indexOf('@'), 100))
}

export function countAdmins(database: Database): Promise<number> {
  return database.$count(users, eq(users.role, 'admin'))
}

const demoAccounts = roles.map((role) => ({
  email: `${role}@example.com`,
  name: `Demo ${role[0]?.toUpperCase()}${role.slice(1)}`,
  role,
  emailVerifiedAt: sql`now()`,
}))

/** Only into a database without users: a deleted demo account stays deleted. */
export async function createDemoAccounts(database: Database): Promise<void> {
  const hash = await hashPassword(demoPassword)
  await database.transaction(async (transaction) => {
    if ((await transaction.$count(users)) > 0) return
    const created = await transaction.insert(users).values(demoAccounts).returning({ id: users.id })
    await transaction.insert(passwords).values(created.map(({ id }) => ({ userId: id, hash })))
  })
}

/** The emails that the published password still signs in. */
export async function findOpenDemoAccounts(database: Database): Promise<string[]> {
  const emails = demoAccounts.map(({ email }) => email)
  const rows = await database
    .select({ email: users.email, hash: passwords.hash })
    .from(users)
    .innerJoin(passwords, eq(passwords.userId, users.id))
    .where(inArray(users.email, emails))
    .orderBy(users.createdAt, users.email)
  const open = await Promise.all(rows.map(({ hash }) => verifyPassword(hash, demoPassword)))
  return rows.filter((_, index) => open[index]).map(({ email }) => email)
}

/**
 * Deletes the user with all that `deleteUserRows` deletes and all that could bring the account back,
 * also if the user has deleted it already. False if there is nothing of it.
 */
export async function deleteUserAndData(transaction: Database, id: string): Promise<boolean> {
  const isDeleted = await deleteUserRows(transaction, id)
  return (await eraseAccount(transaction, id)) || isDeleted
}

/**
 * Deletes the user with sessions, password, linked accounts, links and queued mail. Audit events
 * stay. False if the user does not exist.
 */
export async function deleteUserRows(transaction: Database, id: string): Promise<boolean> {
  const [deleted] = await transaction
    .delete(users)
    .where(eq(users.id, id))
    .returning({ email: users.email })
  if (!deleted) return false
  // Links and mail from before sign-up have no user id.
  await transaction.delete(verificationTokens).where(eq(verificationTokens.email, deleted.email))
  await transaction.delete(mailQueue).where(eq(mailQueue.email, deleted.email))
  await transaction.delete(failedMail).where(eq(failedMail.email, deleted.email))
  return true
}

/** Null: the browser decides. */
export type Preferences = { timeZone: string | null; theme: Theme | null }

/** Omitted fields keep their value. */
export async function storePreferences(
  transaction: Database,
  userId: string,
  { timeZone, theme }: { [Name in keyof Preferences]?: Preferences[Name] | undefined },
): Promise<Preferences> {
  const [stored] = await transaction
    .update(users)
    .set({
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(theme === undefined ? {} : { theme }),
      updatedAt: sql`now()`,
    })
    .where(eq(users.id, userId))
    .returning({ timeZone: users.timeZone, theme: users.theme })
  return stored ?? { timeZone: null, theme: null }
}

/** Sums up the rows that the triggers of users have added. */
export async function compactUserCounts(): Promise<void> {
  await database().execute(sql`select compact_user_counts()`)
}

/** Deletes data of a module from a restored database. Returns how many links and challenges there were. */
export type OnRestore = (transaction: Database) => Promise<number>

type Deleted = { sessions: number; links: number; mail: number }

/**
 * Prepares a restored database for use. What was revoked, used or sent since the backup would be there
 * again: sessions, links and queued mail. It can be repeated.
 */
export function prepareRestoredDatabase(
  modules: readonly { onRestore?: OnRestore }[],
): Promise<Deleted> {
  return runInBackground(() =>
    database().transaction(async (transaction) => {
      await restartChangeLog(transaction)
      const deleted = {
        sessions: await deleteAll(transaction, sessions),
        // Changes and open recoveries stay, with their links: a thief's change is there again too.
        links:
          (await deleteAll(transaction, verificationTokens)) +
          (await deleteAll(transaction, recoveryProofs)),
        mail:
          (await deleteAll(transaction, mailQueue)) + (await deleteAll(transaction, failedMail)),
      }
      for (const { onRestore } of modules) deleted.links += (await onRestore?.(transaction)) ?? 0
      await record(transaction, {
        action: 'restore_database',
        outcome: 'success',
        ip: 'command line',
        requestId: '',
        details: deleted,
      })
      return deleted
    }),
  )
}

/** Returns how many rows there were. */
export async function deleteAll(
  transaction: Database,
  table: PgTable,
  condition?: SQL,
): Promise<number> {
  const count = await transaction.$count(table, condition)
  await transaction.delete(table).where(condition)
  return count
}
