import 'server-only'
import { createHash, randomBytes } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from 'plinth/db/client'
import { recoveryCodes } from '../../schema'
import { toBase32 } from './totp'

const count = 10

/** 120 random bits: even all codes of a copied database cannot be guessed from unsalted fast hashes. */
const codeBytes = 15

/** Replaces all earlier codes. Only hashes are stored, so they can be shown this once. */
export async function createRecoveryCodes(
  transaction: Database,
  userId: string,
): Promise<string[]> {
  await deleteRecoveryCodes(transaction, userId)
  const codes = Array.from({ length: count }, () => toBase32(randomBytes(codeBytes)).toLowerCase())
  const rows = codes.map((code) => ({ userId, codeHash: hashCode(code) }))
  await transaction.insert(recoveryCodes).values(rows)
  return codes.map((code) => code.match(/.{4}/g)?.join('-') ?? code)
}

/** How many are left, or undefined if the code is wrong or was used. */
export async function consumeRecoveryCode(
  transaction: Database,
  userId: string,
  typed: string,
): Promise<number | undefined> {
  const used = await transaction
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(and(isUnused(userId), eq(recoveryCodes.codeHash, hashTyped(typed))))
    .returning({ userId: recoveryCodes.userId })
  return used.length > 0 ? countRecoveryCodes(transaction, userId) : undefined
}

/** A query, or a column of another one. */
export function countRecoveryCodes(database: Database, userId: string) {
  return database.$count(recoveryCodes, isUnused(userId))
}

export async function deleteRecoveryCodes(transaction: Database, userId: string): Promise<void> {
  await transaction.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

function isUnused(userId: string) {
  return and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))
}

export function hashTyped(code: string): Buffer {
  return hashCode(plainForm(code))
}

/** As typed from paper: 0, 1 and 8 are not in the alphabet, but look like letters that are. */
function plainForm(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
    .replaceAll('8', 'b')
}

function hashCode(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}
