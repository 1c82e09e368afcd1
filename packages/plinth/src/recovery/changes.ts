import { asc, eq, sql } from 'drizzle-orm'
import { storeErasure } from '#auth/accounts/deleted-accounts/erasure'
import { encryptionFor } from '#config/encryption'
import { type Database, rowsOf } from '#db/client'
import { accountChanges, type NamedMethod, users } from '#db/schema'
import { queueMail } from '#mail/mail'
import { type Change, includes, judgeChange, linkEnds, type Method } from '#recovery/history'
import { type StoredMethod, snapshot } from '#recovery/methods'

type ChangeOf = {
  userId: string
  by?: 'user' | 'admin'
  /** The app or passkey that the user gave for this very change. */
  confirmedBy?: Method | undefined
  /** It deletes the account. */
  deletes?: boolean
}

/**
 * Runs a change of the user's sign-in methods or email. Writes what it added and removed to the
 * history, and queues the notice for the email that the account had before.
 */
export async function changeSignIn<Result>(
  transaction: Database,
  { userId, by = 'user', confirmedBy, deletes = false }: ChangeOf,
  run: () => Promise<Result>,
): Promise<Result> {
  const email = await lockEmail(transaction, userId)
  const before = await snapshot(transaction, userId)
  const result = await run()
  const after = await snapshot(transaction, userId)
  const newEmail = (await findEmail(transaction, userId)) ?? email
  const added = after.filter((method) => !includes(before, method))
  const removed = before.filter((method) => !includes(after, method))
  if (email === undefined || newEmail === undefined) return result
  if (added.length + removed.length === 0 && email === newEmail && !deletes) return result
  await record(transaction, { userId, email, newEmail, by, confirmedBy, deletes, added, removed })
  return result
}

/** Users are locked before their rows in other tables, as in every mutation. */
async function lockEmail(transaction: Database, userId: string): Promise<string | undefined> {
  const [user] = await transaction
    .select({ email: users.email })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update')
  return user?.email
}

async function findEmail(reader: Database, userId: string): Promise<string | undefined> {
  const [user] = await reader.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return user?.email
}

type NewRow = Required<Pick<ChangeOf, 'userId' | 'by' | 'deletes'>> &
  Pick<Change, 'email' | 'newEmail'> & {
    confirmedBy: Method | undefined
    added: readonly StoredMethod[]
    removed: readonly StoredMethod[]
  }

async function record(transaction: Database, change: NewRow): Promise<void> {
  const { userId, email, newEmail, by, confirmedBy, deletes, added, removed } = change
  const history = await listChanges(transaction, userId)
  const at = await currentTime(transaction)
  const facts = { email, newEmail, by }
  const judged = judgeChange(history, { ...facts, at: at.getTime(), confirmedBy })
  const [stored] = await transaction
    .insert(accountChanges)
    .values({
      userId,
      at,
      ...facts,
      deletes,
      added: added.map(named),
      removed: removed.map(named),
      ...encryptRows(userId, removed),
      ...judged,
    })
    .returning({ id: accountChanges.id })
  await storeLinkEnds(transaction, userId)
  if (stored && by === 'user') {
    await queueMail(transaction, {
      purpose: 'account_changed',
      email,
      data: { changeId: stored.id },
    })
  }
}

const named = ({ kind, id, name }: StoredMethod): NamedMethod => ({ kind, id, name })

const { encrypt, decrypt, keyIdOf: changeKeyIdOf } = encryptionFor('account-changes')

export { changeKeyIdOf }

function encryptRows(userId: string, removed: readonly StoredMethod[]) {
  if (removed.length === 0) return {}
  const { secret, keyId } = encrypt(Buffer.from(JSON.stringify(removed)), userId)
  return { removedRows: secret, keyId }
}

type Row = typeof accountChanges.$inferSelect

/** Without rows if AUTH_SECRET has changed since and the old one is not AUTH_SECRET_PREVIOUS. */
function decryptRows({ userId, removed, removedRows, keyId }: Row): readonly StoredMethod[] {
  const plain = removedRows && keyId && decrypt({ secret: removedRows, keyId }, userId)
  if (!plain) return removed.map((method) => ({ ...method, rows: [] }))
  return JSON.parse(plain.toString()) as StoredMethod[]
}

/** With the rows that restore what was removed. */
export type StoredChange = Omit<Change, 'added' | 'removed'> & {
  added: readonly NamedMethod[]
  removed: readonly StoredMethod[]
}

/** In the order in which they were made. */
export async function listChanges(reader: Database, userId: string): Promise<StoredChange[]> {
  const rows = await reader
    .select()
    .from(accountChanges)
    .where(eq(accountChanges.userId, userId))
    .orderBy(asc(accountChanges.at), asc(accountChanges.position))
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    newEmail: row.newEmail,
    by: row.by,
    confirmed: row.confirmed,
    deletes: row.deletes,
    link: row.link,
    added: row.added,
    removed: decryptRows(row),
    at: row.at.getTime(),
    deliveredAt: row.deliveredAt?.getTime(),
    ...(row.heldUntil ? { heldUntil: row.heldUntil.getTime() } : {}),
  }))
}

/** A removed method was used as a proof. Its rows must not come back as if it had not. */
export async function storeRemovedRows(
  transaction: Database,
  userId: string,
  used: Method & Pick<StoredMethod, 'rows'>,
): Promise<void> {
  const changes = await transaction
    .select()
    .from(accountChanges)
    .where(eq(accountChanges.userId, userId))
  for (const change of changes.filter(({ removed }) => includes(removed, used))) {
    const removed = decryptRows(change).map((method) =>
      includes([used], method) ? { ...method, rows: used.rows } : method,
    )
    await transaction
      .update(accountChanges)
      .set(encryptRows(userId, removed))
      .where(eq(accountChanges.id, change.id))
  }
}

/** After the user was locked, so that changes have the order of their times. */
async function currentTime(reader: Database): Promise<Date> {
  const [row] = rowsOf<{ now: number }>(
    await reader.execute(sql`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`),
  )
  return new Date(Number(row?.now))
}

/** For queries and the sweep, which do not know the rules. */
export async function storeLinkEnds(transaction: Database, userId: string): Promise<void> {
  const ends = linkEnds(await listChanges(transaction, userId))
  for (const [id, end] of ends) {
    await transaction
      .update(accountChanges)
      .set({ endsAt: new Date(end) })
      .where(eq(accountChanges.id, id))
  }
  await storeErasure(transaction, userId)
}

/** The mail server has accepted the notice. */
export async function storeDelivery(transaction: Database, changeId: string): Promise<void> {
  const [delivered] = await transaction
    .update(accountChanges)
    .set({ deliveredAt: sql`now()` })
    .where(eq(accountChanges.id, changeId))
    .returning({ userId: accountChanges.userId })
  if (delivered) await storeLinkEnds(transaction, delivered.userId)
}

/** For the doctor: how many need each key, and until when. */
export async function countChangesByKey(reader: Database) {
  const found = await reader.execute(sql`
    select key_id as "keyId", count(*)::int as count, to_char(max(ends_at), 'YYYY-MM-DD') as "endsAt"
    from ${accountChanges} where key_id is not null group by key_id`)
  return rowsOf<{ keyId: string; count: number; endsAt: string }>(found)
}
