import 'server-only'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Factor } from 'plinth/auth/accounts/change-proofs'
import { type Database, database } from 'plinth/db/client'
import { users } from 'plinth/db/schema'
import { authenticatorApps, passkeys } from '../../schema'
import { deleteApp } from './authenticator-app'
import { forgetBrowsers } from './browsers'
import { countRecoveryCodes, createRecoveryCodes, deleteRecoveryCodes } from './recovery-codes'

export const methods = ['totp', 'passkey', 'recovery_code'] as const

export type Method = (typeof methods)[number]

export type Factors = { app: boolean; passkeys: number; recoveryCodes: number }

/** One query, because every sign-in with a password waits for it. */
export async function findFactors(userId: string, reader = database()): Promise<Factors> {
  const isOwnApp = and(
    eq(authenticatorApps.userId, userId),
    isNotNull(authenticatorApps.confirmedAt),
  )
  const [found = { apps: 0, passkeys: 0, recoveryCodes: 0 }] = await reader
    .select({
      apps: reader.$count(authenticatorApps, isOwnApp),
      passkeys: reader.$count(passkeys, eq(passkeys.userId, userId)),
      recoveryCodes: countRecoveryCodes(reader, userId),
    })
    .from(users)
    .where(eq(users.id, userId))
  const { apps, ...others } = found
  return { app: apps > 0, ...others }
}

/** Each with an id that names it as long as it is the same: an app that is set up anew is another. */
export async function listFactors(reader: Database, userId: string): Promise<Factor[]> {
  const apps = await reader
    .select({ confirmedAt: authenticatorApps.confirmedAt })
    .from(authenticatorApps)
    .where(and(eq(authenticatorApps.userId, userId), isNotNull(authenticatorApps.confirmedAt)))
  const keys = await reader
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
  return [
    ...apps.map(({ confirmedAt }) => ({ kind: 'app' as const, methodId: appId(confirmedAt) })),
    ...keys.map(({ id }) => ({ kind: 'passkey' as const, methodId: id })),
  ]
}

/** A user has one app, so the time of its confirmation names it. */
function appId(confirmedAt: Date | null): string {
  return confirmedAt?.toISOString() ?? ''
}

/** An authenticator app or a passkey. With either, a password alone does not sign in. */
export function isProtected({ app, passkeys }: Factors): boolean {
  return app || passkeys > 0
}

/** The methods that can complete a sign-in. */
export function methodsOf({ app, passkeys, recoveryCodes }: Factors): Method[] {
  return [
    ...(app ? (['totp'] as const) : []),
    ...(passkeys > 0 ? (['passkey'] as const) : []),
    ...(recoveryCodes > 0 ? (['recovery_code'] as const) : []),
  ]
}

/** Recovery codes come with the first factor. Undefined if the user has them already. */
export async function createCodesIfNone(
  transaction: Database,
  userId: string,
): Promise<string[] | undefined> {
  if ((await countRecoveryCodes(transaction, userId)) > 0) return undefined
  return createRecoveryCodes(transaction, userId)
}

/** Without a factor there is nothing to recover or to remember. */
export async function endProtectionIfLast(transaction: Database, userId: string): Promise<void> {
  if (isProtected(await findFactors(userId, transaction))) return
  await deleteRecoveryCodes(transaction, userId)
  await forgetBrowsers(transaction, userId)
}

/** Whether there were any. */
export async function deleteFactors(transaction: Database, userId: string): Promise<boolean> {
  const hadApp = await deleteApp(transaction, userId)
  const deleted = await transaction
    .delete(passkeys)
    .where(eq(passkeys.userId, userId))
    .returning({ id: passkeys.id })
  await deleteRecoveryCodes(transaction, userId)
  await forgetBrowsers(transaction, userId)
  return hadApp || deleted.length > 0
}
