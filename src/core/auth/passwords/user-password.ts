import 'server-only'
import { dictionary } from '@zxcvbn-ts/language-common'
import { eq, sql } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import { reserveHash, verifyPassword } from '@/core/auth/passwords/hash'
import { singleton } from '@/core/config/singleton'
import { type Database, database } from '@/core/db/client'
import { passwords } from '@/core/db/schema'
import type { Scope, Session } from '@/core/http/scope'
import { attemptPassword } from '@/core/rate-limits/password-attempts'
import type { RateLimitResult } from '@/core/rate-limits/rate-limit'

export type CurrentPasswordCheck =
  | 'verified'
  | 'no_password'
  | 'wrong'
  | { refused: RateLimitResult }

/**
 * A session alone does not prove that its owner is present: its token may be stolen, or the screen
 * left unlocked. A wrong password counts as a failed sign-in and is an event of `action`. The result
 * stays valid in the mutation that follows: changing the password meanwhile revokes this session,
 * and the mutation reads it again.
 */
export function verifyCurrentPassword(
  scope: Scope & { session: Session },
  action: string,
  password: string,
): Promise<CurrentPasswordCheck> {
  return reserveHash(scope, async () => {
    const { id, email } = scope.session.user
    const hash = await findHash(id)
    if (hash === undefined) return 'no_password'
    const attempt = await attemptPassword(scope, email, async () =>
      (await verifyPassword(hash, password)) ? true : undefined,
    )
    if (attempt.refused) return { refused: attempt.refused }
    if (attempt.result) return 'verified'
    await record(database(), {
      action,
      outcome: 'failure',
      actorId: id,
      targetId: id,
      ip: scope.ip,
      requestId: scope.requestId,
      details: { reason: 'wrong_password' },
    })
    return 'wrong'
  })
}

export async function hasPassword(userId: string): Promise<boolean> {
  return (await findHash(userId)) !== undefined
}

async function findHash(userId: string): Promise<string | undefined> {
  const [row] = await database()
    .select({ hash: passwords.hash })
    .from(passwords)
    .where(eq(passwords.userId, userId))
  return row?.hash
}

export async function storePassword(
  transaction: Database,
  userId: string,
  hash: string,
): Promise<void> {
  const updatedAt = sql`now()`
  await transaction
    .insert(passwords)
    .values({ userId, hash, updatedAt })
    .onConflictDoUpdate({ target: passwords.userId, set: { hash, updatedAt } })
}

/** Why a password of the right length is rejected, or undefined. */
export function passwordError(password: string, email: string): string | undefined {
  const plain = plainForm(password)
  if (plain === email || plain === email.split('@', 1)[0]) {
    return 'Your password cannot be your email.'
  }
  if (isCommon(plain) || isPattern(plain)) {
    return 'This password is too easy to guess. Try a few unrelated words.'
  }
  return undefined
}

/** Upper case and full-width letters do not make a password harder to guess. */
function plainForm(password: string): string {
  return password.normalize('NFKC').toLowerCase()
}

/** A common password, alone or with up to four digits and signs appended. */
function isCommon(plain: string): boolean {
  const word = plain.replace(/[\p{N}\p{P}\p{S}]{1,4}$/u, '')
  return commonPasswords().has(plain) || commonPasswords().has(word)
}

/** A repeated piece or a sequence of characters: 1212121212, abcdefghij. */
function isPattern(plain: string): boolean {
  if (/^(.{1,4})\1+$/su.test(plain)) return true
  const codes = [...plain].map((character) => character.codePointAt(0) ?? 0)
  const step = (codes[1] ?? 0) - (codes[0] ?? 0)
  return codes.every(
    (code, index) =>
      index === 0 || (code - (codes[index - 1] ?? 0) === step && Math.abs(step) <= 1),
  )
}

/** About 50,000, from the lists that attackers try first. */
function commonPasswords(): ReadonlySet<string> {
  return singleton('auth.common-passwords', () => new Set(dictionary['passwords-common']))
}
