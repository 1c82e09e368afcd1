import 'server-only'
import { randomBytes } from 'node:crypto'
import { and, count, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { type Database, database } from 'plinth/db/client'
import { databaseNow } from 'plinth/db/clock'
import type { SignedInScope } from 'plinth/guard/policy'
import { log } from 'plinth/log/log'
import { authenticatorApps } from '../../schema'
import { currentKeyId, decrypt, encrypt, previousKeyIds } from './encryption'
import { findStep } from './totp'

/** RFC 4226 recommends 160 bits. */
const secretBytes = 20

/**
 * The session, by its id, or the sign-in, by its challenge, that sets an app up. No one else sees the
 * secret, or someone who also knows the password could keep it.
 */
export type Setup = { userId: string; preparedFor: string }

export function setupOf({ session }: SignedInScope): Setup {
  return { userId: session.user.id, preparedFor: session.id }
}

/** A new secret, which does not count until `confirmApp`. One that is already confirmed stays. */
export async function prepareApp(transaction: Database, setup: Setup): Promise<void> {
  const { userId, preparedFor } = setup
  const fresh = { ...encrypt(randomBytes(secretBytes), userId), preparedFor }
  await transaction
    .insert(authenticatorApps)
    .values({ userId, ...fresh })
    .onConflictDoUpdate({
      target: authenticatorApps.userId,
      set: { ...fresh, createdAt: sql`now()`, lastStep: 0 },
      setWhere: isNull(authenticatorApps.confirmedAt),
    })
}

/** The secret to show while the app is set up. */
export async function findPreparedSecret(setup: Setup): Promise<Buffer | undefined> {
  const { userId } = setup
  const [row] = await database()
    .select({ secret: authenticatorApps.secret, keyId: authenticatorApps.keyId })
    .from(authenticatorApps)
    .where(and(eq(authenticatorApps.userId, userId), isPreparedFor(setup)))
  return row && decrypt(row, userId)
}

/** Whether the code is right. The app counts from then on. */
export function confirmApp(transaction: Database, setup: Setup, code: string): Promise<boolean> {
  return acceptCode(transaction, setup.userId, code, isPreparedFor(setup))
}

function isPreparedFor({ preparedFor }: Setup) {
  return and(isNull(authenticatorApps.confirmedAt), eq(authenticatorApps.preparedFor, preparedFor))
}

/** Whether the code is right. It is used up. */
export function verifyCode(transaction: Database, userId: string, code: string): Promise<boolean> {
  return acceptCode(transaction, userId, code, isNotNull(authenticatorApps.confirmedAt))
}

async function acceptCode(
  transaction: Database,
  userId: string,
  code: string,
  state: SQL | undefined,
): Promise<boolean> {
  // Locked, so that of concurrent uses of a code the second sees the first.
  const [app] = await transaction
    .select()
    .from(authenticatorApps)
    .where(and(eq(authenticatorApps.userId, userId), state))
    .for('update')
  const secret = app && decrypt(app, userId)
  if (app && !secret) log().error({ userId }, 'AUTH_SECRET does not decrypt the authenticator app')
  if (!app || !secret) return false
  const step = findStep(secret, code, { now: databaseNow(), lastStep: app.lastStep })
  if (step === undefined) return false
  await transaction
    .update(authenticatorApps)
    .set({
      lastStep: step,
      lastUsedAt: sql`now()`,
      confirmedAt: app.confirmedAt ?? sql`now()`,
      ...(app.keyId === currentKeyId() ? {} : encrypt(secret, userId)),
    })
    .where(eq(authenticatorApps.userId, userId))
  return true
}

/** Whether there was one. */
export async function deleteApp(transaction: Database, userId: string): Promise<boolean> {
  const deleted = await transaction
    .delete(authenticatorApps)
    .where(eq(authenticatorApps.userId, userId))
    .returning({ confirmedAt: authenticatorApps.confirmedAt })
  return deleted.some(({ confirmedAt }) => confirmedAt !== null)
}

/**
 * After AUTH_SECRET has changed: encrypts with the new one what the previous one still decrypts, so
 * that the previous one can be dropped. Returns how many.
 */
export async function encryptAgain(max: number): Promise<number> {
  const previous = previousKeyIds()
  if (previous.length === 0) return 0
  return database().transaction(async (transaction) => {
    const old = await transaction
      .select({
        userId: authenticatorApps.userId,
        secret: authenticatorApps.secret,
        keyId: authenticatorApps.keyId,
      })
      .from(authenticatorApps)
      .where(inArray(authenticatorApps.keyId, previous))
      .limit(max)
      .for('update', { skipLocked: true })
    let changed = 0
    for (const { userId, ...encrypted } of old) {
      const secret = decrypt(encrypted, userId)
      if (!secret) continue
      await transaction
        .update(authenticatorApps)
        .set(encrypt(secret, userId))
        .where(eq(authenticatorApps.userId, userId))
      changed += 1
    }
    return changed
  })
}

/** Counts only confirmed apps. */
export function countAppsByKey(reader: Database) {
  return reader
    .select({ keyId: authenticatorApps.keyId, count: count() })
    .from(authenticatorApps)
    .where(isNotNull(authenticatorApps.confirmedAt))
    .groupBy(authenticatorApps.keyId)
}
