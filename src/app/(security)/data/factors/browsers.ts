import 'server-only'
import { createHash } from 'node:crypto'
import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { maxUserAgentLength } from 'plinth/auth/sessions/session'
import { type Database, database } from 'plinth/db/client'
import { fromNow } from 'plinth/db/clock'
import type { Scope, SessionUser } from 'plinth/http/scope'
import { knownDevice } from 'plinth/rate-limits/known-devices'
import { rememberedBrowsers } from '../../schema'

export const rememberedDays = 30

const maxBrowsers = 50

const newestFirst = [desc(rememberedBrowsers.createdAt), desc(rememberedBrowsers.id)]

/** Whether this browser needs no second factor for this user. */
export async function isRemembered(
  reader: Database,
  { device }: Pick<Scope, 'device'>,
  user: SessionUser,
): Promise<boolean> {
  const id = knownDevice(device, user.email)
  if (id === undefined) return false
  const found = await reader
    .select({ id: rememberedBrowsers.id })
    .from(rememberedBrowsers)
    .where(and(isLive(user.id), eq(rememberedBrowsers.deviceHash, hashDevice(id))))
  return found.length > 0
}

/** `deviceId` is the id in the device cookie that the browser gets with its session. */
export async function rememberBrowser(
  transaction: Database,
  { ip, userAgent }: Pick<Scope, 'ip' | 'userAgent'>,
  userId: string,
  deviceId: string,
): Promise<void> {
  const fresh = {
    ip,
    userAgent: userAgent?.slice(0, maxUserAgentLength) ?? null,
    createdAt: sql`now()`,
    lastUsedAt: sql`now()`,
    expiresAt: fromNow(rememberedDays * 24 * 60 * 60 * 1000),
  }
  await transaction
    .insert(rememberedBrowsers)
    .values({ userId, deviceHash: hashDevice(deviceId), ...fresh })
    .onConflictDoUpdate({
      target: [rememberedBrowsers.userId, rememberedBrowsers.deviceHash],
      set: fresh,
    })
  await forgetOldest(transaction, userId)
}

/** Each one that works is in the list. */
async function forgetOldest(transaction: Database, userId: string): Promise<void> {
  const older = transaction
    .select({ id: rememberedBrowsers.id })
    .from(rememberedBrowsers)
    .where(isLive(userId))
    .orderBy(...newestFirst)
    .offset(maxBrowsers)
  await transaction.delete(rememberedBrowsers).where(inArray(rememberedBrowsers.id, older))
}

export function listBrowsers(userId: string) {
  return database()
    .select({
      id: rememberedBrowsers.id,
      ip: rememberedBrowsers.ip,
      userAgent: rememberedBrowsers.userAgent,
      createdAt: rememberedBrowsers.createdAt,
      expiresAt: rememberedBrowsers.expiresAt,
    })
    .from(rememberedBrowsers)
    .where(isLive(userId))
    .orderBy(...newestFirst)
    .limit(maxBrowsers)
}

/** Whether the user had it. */
export async function forgetBrowser(
  transaction: Database,
  userId: string,
  id: string,
): Promise<boolean> {
  const deleted = await transaction
    .delete(rememberedBrowsers)
    .where(and(eq(rememberedBrowsers.userId, userId), eq(rememberedBrowsers.id, id)))
    .returning({ id: rememberedBrowsers.id })
  return deleted.length > 0
}

export async function forgetBrowsers(transaction: Database, userId: string): Promise<void> {
  await transaction.delete(rememberedBrowsers).where(eq(rememberedBrowsers.userId, userId))
}

function isLive(userId: string) {
  return and(eq(rememberedBrowsers.userId, userId), gt(rememberedBrowsers.expiresAt, sql`now()`))
}

function hashDevice(id: string): Buffer {
  return createHash('sha256').update(id).digest()
}
