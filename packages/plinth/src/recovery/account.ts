import { and, eq, gt, or, sql } from 'drizzle-orm'
import { hashToken, isToken } from '#auth/sessions/cookie'
import type { Database } from '#db/client'
import { databaseNow } from '#db/clock'
import { accountChanges, recoveries, recoveryLinks, recoveryProofs } from '#db/schema'
import { listChanges, type StoredChange } from '#recovery/changes'
import { findRecovery } from '#recovery/frozen-account'
import { type Method, methodsAt } from '#recovery/history'
import { type StoredMethod, snapshot } from '#recovery/methods'
import { type Account, type Opening, openRecovery, targetOf } from '#recovery/recovery'

/** The account and the email that a link was sent to. */
export type RecoveryLink = { userId: string; email: string }

/** Does not use up the link: mail scanners open every link. */
export async function findRecoveryLink(
  reader: Database,
  token: string | undefined,
): Promise<RecoveryLink | undefined> {
  if (!isToken(token)) return undefined
  const tokenHash = hashToken(token)
  return (await findChangeLink(reader, tokenHash)) ?? (await findOpenLink(reader, tokenHash))
}

/** A link that was alive when a recovery was opened works until it ends. */
async function findChangeLink(reader: Database, tokenHash: Buffer) {
  const { userId, email, endsAt, link } = accountChanges
  const isLive = or(gt(endsAt, sql`now()`), gt(endsAt, recoveries.openedAt))
  const [found] = await reader
    .select({ userId, email })
    .from(accountChanges)
    .leftJoin(recoveries, eq(recoveries.userId, userId))
    .where(and(eq(accountChanges.tokenHash, tokenHash), eq(link, 'open'), isLive))
  return found
}

async function findOpenLink(reader: Database, tokenHash: Buffer) {
  const { userId, email } = recoveryLinks
  const [found] = await reader
    .select({ userId, email })
    .from(recoveryLinks)
    .where(eq(recoveryLinks.tokenHash, tokenHash))
  return found
}

/** The account as the rules need it, with the rows of each method. */
export type LoadedAccount = Omit<Account, 'changes' | 'methods'> & {
  isDeleted: boolean
  changes: readonly StoredChange[]
  methods: readonly StoredMethod[]
}

/** A deleted account has the methods that its deletion has removed: its recovery brings them back first. */
export async function loadAccount(reader: Database, userId: string): Promise<LoadedAccount> {
  const changes = await listChanges(reader, userId)
  const recovery = await findRecovery(reader, userId)
  const deletion = changes.find(({ deletes }) => deletes)
  if (!deletion) {
    return { changes, recovery, isDeleted: false, methods: await snapshot(reader, userId) }
  }
  const kept = changes.map((change) => (change === deletion ? { ...change, removed: [] } : change))
  return { changes: kept, recovery, isDeleted: true, methods: deletion.removed }
}

/** Methods at the target, which are proofs. */
export function provableMethods(account: LoadedAccount): StoredMethod[] {
  const target = targetOf(account, databaseNow())
  return target ? (methodsAt(target, account.methods) as StoredMethod[]) : []
}

/** A secret in a cookie: proofs of one browser do not help another that has the same link. */
export type Browser = { hash: Buffer }

export type Attempt = RecoveryLink & { browser: Browser; hasLeftEmail?: boolean }

/** The outcome of following the link now. Changes nothing. */
export async function judgeAttempt(
  reader: Database,
  account: LoadedAccount,
  { userId, email, browser, hasLeftEmail = false }: Attempt,
): Promise<Opening & { proofs: readonly Method[] }> {
  const proofs = await listProofs(reader, userId, browser)
  const now = databaseNow()
  return { ...openRecovery(account, { email, proofs, hasLeftEmail, now }), proofs }
}

async function listProofs(reader: Database, userId: string, { hash }: Browser): Promise<Method[]> {
  return reader
    .select({ kind: recoveryProofs.kind, id: recoveryProofs.methodId })
    .from(recoveryProofs)
    .where(and(eq(recoveryProofs.userId, userId), eq(recoveryProofs.browserHash, hash)))
}
