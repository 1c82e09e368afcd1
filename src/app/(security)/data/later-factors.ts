import 'server-only'
import { and, eq, gte, sql } from 'drizzle-orm'
import type { Database } from '@/core/db/client'
import { authenticatorApps, passkeys, recoveryCodes } from '../schema'
import { endProtectionIfLast } from './factors/factors'

/** Removes the factors that were added since then. Returns how many apps and passkeys. */
export async function deleteFactorsSince(
  transaction: Database,
  userId: string,
  since: Date,
): Promise<number> {
  const { confirmedAt, createdAt } = authenticatorApps
  const addedAt = sql`coalesce(${confirmedAt}, ${createdAt})`
  const apps = await transaction
    .delete(authenticatorApps)
    .where(and(eq(authenticatorApps.userId, userId), gte(addedAt, since.toISOString())))
    .returning({ confirmedAt })
  const keys = await transaction
    .delete(passkeys)
    .where(and(eq(passkeys.userId, userId), gte(passkeys.createdAt, since)))
    .returning({ id: passkeys.id })
  await transaction
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), gte(recoveryCodes.createdAt, since)))
  await endProtectionIfLast(transaction, userId)
  return apps.filter((app) => app.confirmedAt !== null).length + keys.length
}
