import { record } from '#audit/record'
import { type Database, database } from '#db/client'
import { type MethodKind, recoveryProofs } from '#db/schema'
import type { Scope } from '#http/scope'
import {
  type Browser,
  findRecoveryLink,
  judgeAttempt,
  type LoadedAccount,
  loadAccount,
  provableMethods,
  type RecoveryLink,
} from '#recovery/account'
import { storeRemovedRows } from '#recovery/changes'
import { freeze, lockAccount, storeRecovery } from '#recovery/frozen-account'
import { includes, type Method } from '#recovery/history'
import { replaceRows, type StoredMethod } from '#recovery/methods'

type Following = { token: string; browser: Browser; hasLeftEmail?: boolean }

/** Undefined if the link no longer works. */
export type Followed = { state: 'waiting' | 'admin' | 'allowed' | 'ready' } | undefined

/**
 * Opens the recovery and freezes the account, or tells an open one that this email does not agree.
 * Nothing is restored yet.
 */
export function followRecoveryLink(scope: Scope, following: Following): Promise<Followed> {
  return withLink(
    scope,
    { action: 'open_recovery' },
    following.token,
    async (transaction, link) => {
      const account = await loadAccount(transaction, link.userId)
      const attempt = { ...link, ...following }
      const opening = await judgeAttempt(transaction, account, attempt)
      if (opening.result === 'invalid') return undefined
      if (opening.result === 'complete') return { state: 'ready' as const }
      const { userId } = link
      if (account.recovery) await storeRecovery(transaction, userId, opening.recovery)
      else await freeze(transaction, userId, opening)
      return { state: opening.recovery.state }
    },
  )
}

/** The methods of one kind that would be a proof. For what is verified before the short transaction. */
export async function findProvable(
  token: string,
  kind: StoredMethod['kind'],
): Promise<StoredMethod[]> {
  const link = await findRecoveryLink(database(), token)
  const account = link && (await loadAccount(database(), link.userId))
  if (!account?.recovery) return []
  return provableMethods(account).filter((method) => method.kind === kind)
}

type Proving = Pick<Following, 'token' | 'browser'> & { kind: MethodKind }

/** `rowsAfter` has the use in it: a code works once, also that of an app which was removed. */
export type Proved = { method: Method; rowsAfter?: readonly unknown[] }

/**
 * Counts for this browser. `judge` gets the methods as they are now, and returns undefined if the
 * proof is wrong, which is an audit event too.
 */
export async function storeRecoveryProof(
  scope: Scope,
  { token, browser, kind }: Proving,
  judge: (methods: readonly StoredMethod[]) => Proved | undefined,
): Promise<boolean> {
  const details = { with: kind }
  const prove = async (transaction: Database, { userId }: RecoveryLink) => {
    const account = await loadAccount(transaction, userId)
    if (!account.recovery) return undefined
    const methods = provableMethods(account).filter((method) => method.kind === kind)
    const proved = judge(methods)
    if (!proved || !includes(methods, proved.method)) return undefined
    const { method, rowsAfter: rows } = proved
    await transaction
      .insert(recoveryProofs)
      .values({ userId, browserHash: browser.hash, kind, methodId: method.id })
      .onConflictDoNothing()
    if (rows) await storeRows(transaction, userId, { ...method, rows }, account)
    return proved
  }
  return (
    (await withLink(scope, { action: 'prove_to_recover', details }, token, prove)) !== undefined
  )
}

async function storeRows(
  transaction: Database,
  userId: string,
  used: Method & Pick<StoredMethod, 'rows'>,
  { methods }: LoadedAccount,
): Promise<void> {
  const store = includes(methods, used) ? replaceRows : storeRemovedRows
  await store(transaction, userId, used)
}

/** Runs with the account locked, and writes the audit event. */
export async function withLink<Result extends object>(
  { ip, requestId }: Scope,
  event: { action: string; details?: Readonly<Record<string, string>> },
  token: string,
  run: (transaction: Database, link: RecoveryLink) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  return database().transaction(async (transaction) => {
    const found = await findRecoveryLink(transaction, token)
    if (found) await lockAccount(transaction, found.userId)
    // It may have ended while this waited.
    const link = found && (await findRecoveryLink(transaction, token))
    const result = link && (await run(transaction, link))
    await record(transaction, {
      ...event,
      outcome: result && !('takenEmail' in result) ? 'success' : 'failure',
      targetId: found?.userId,
      ip,
      requestId,
    })
    return result
  })
}
