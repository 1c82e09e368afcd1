import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { authSecrets } from '#config/env'
import { type Database, database } from '#db/client'
import { fromNow } from '#db/clock'
import { mailCodes } from '#db/schema'

/** Crockford's base 32: no letter looks like a digit or like another letter. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * 40 bits. An attacker who asks for a code to the email of a user gets five tries with each mail and
 * ten mails an hour. With six digits, such guesses at a thousand mailboxes would open one a day.
 */
const codeLength = 8

export const mailCodeMinutes = 10

const maxTries = 5

/** The purpose of a code, such as a change in one session, and the mailbox it was sent to. */
export type MailCodeFor = { key: string; email: string }

/** Replaces an earlier code for the same. Only its hash is stored: the code is in the message alone. */
export async function createMailCode(confirms: MailCodeFor): Promise<string> {
  const code = newCode()
  const fresh = {
    codeHash: hashCode(code, boundTo(confirms)),
    tries: 0,
    createdAt: sql`now()`,
    expiresAt: fromNow(mailCodeMinutes * 60_000),
  }
  await database()
    .insert(mailCodes)
    .values({ key: confirms.key, ...fresh })
    .onConflictDoUpdate({ target: mailCodes.key, set: fresh })
  return code
}

/**
 * The stored hash if the code is right, for `consumeMailCode`. Counts a try, and outside of any
 * transaction: one that is rolled back would give the try back.
 */
export async function tryMailCode(
  confirms: MailCodeFor,
  typed: string,
): Promise<Buffer | undefined> {
  const [tried] = await database()
    .update(mailCodes)
    .set({ tries: sql`${mailCodes.tries} + 1` })
    .where(and(isLive(confirms.key), lt(mailCodes.tries, maxTries)))
    .returning({ codeHash: mailCodes.codeHash })
  return tried && isCode(typed, boundTo(confirms), tried.codeHash) ? tried.codeHash : undefined
}

/** Whether this call used it up. Of concurrent calls one does. */
export async function consumeMailCode(
  transaction: Database,
  { key }: MailCodeFor,
  codeHash: Buffer,
): Promise<boolean> {
  const consumed = await transaction
    .delete(mailCodes)
    .where(and(isLive(key), eq(mailCodes.codeHash, codeHash)))
    .returning({ key: mailCodes.key })
  return consumed.length > 0
}

export async function deleteExpiredMailCodes(max = 500): Promise<number> {
  const expired = sql`(select key from mail_codes where expires_at < now() limit ${max})`
  const deleted = await database()
    .delete(mailCodes)
    .where(and(sql`${mailCodes.key} in ${expired}`, lt(mailCodes.expiresAt, sql`now()`)))
    .returning({ key: mailCodes.key })
  return deleted.length
}

function isLive(key: string) {
  return and(eq(mailCodes.key, key), gt(mailCodes.expiresAt, sql`now()`))
}

/** Binds a code to the mailbox too: after a change of the email a code that went to the old one is wrong. */
function boundTo({ key, email }: MailCodeFor): Buffer {
  return createHash('sha256').update(`${key} ${email}`).digest()
}

/** As in the mail: in two groups, which are easier to type. */
export function newCode(): string {
  const letters = [...randomBytes(codeLength)].map((byte) => alphabet[byte % alphabet.length])
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
}

/**
 * Keyed, because a copy of the database would reveal a code of 40 bits otherwise. Bound to what it
 * confirms, such as one browser: a hash of another row is wrong.
 */
export function hashCode(code: string, bound: Buffer): Buffer {
  const [secret = ''] = authSecrets()
  return hashWith(secret, code, bound)
}

/** With the previous AUTH_SECRET too. */
export function isCode(typed: string, bound: Buffer, codeHash: Buffer): boolean {
  const hashes = authSecrets().map((secret) => hashWith(secret, typed, bound))
  return hashes.some((hash) => hash.length === codeHash.length && timingSafeEqual(hash, codeHash))
}

function hashWith(secret: string, code: string, bound: Buffer): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'plinth.sign-in-code', 32))
  return createHmac('sha256', key).update(bound).update(plainForm(code)).digest()
}

/** The alphabet has no I, L and O, but users type them. */
function plainForm(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/[IL]/g, '1')
    .replaceAll('O', '0')
}
