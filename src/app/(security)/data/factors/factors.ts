import 'server-only'
import { and, eq, isNotNull } from 'drizzle-orm'
import { type Database, database } from '@/core/db/client'
import { authenticatorApps, passkeys } from '../../schema'
import { deleteApp } from './authenticator-app'
import { forgetBrowsers } from './browsers'
import { countRecoveryCodes, createRecoveryCodes, deleteRecoveryCodes } from './recovery-codes'

export const methods = ['totp', 'passkey', 'recovery_code'] as const

export type Method = (typeof methods)[number]

export type Factors = { app: boolean; passkeys: number; recoveryCodes: number }

export async function findFactors(userId: string, reader = database()): Promise<Factors> {
  const isOwn = eq(authenticatorApps.userId, userId)
  return {
    app:
      (await reader.$count(
        authenticatorApps,
        and(isOwn, isNotNull(authenticatorApps.confirmedAt)),
      )) > 0,
    passkeys: await reader.$count(passkeys, eq(passkeys.userId, userId)),
    recoveryCodes: await countRecoveryCodes(reader, userId),
  }
}

/** An authenticator app or a passkey. With either, a password alone does not sign in. */
export function isProtected({ app, passkeys }: Factors): boolean {
  return app || passkeys > 0
}

/** What can complete a sign-in. */
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
