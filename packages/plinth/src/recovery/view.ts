import { database } from '#db/client'
import type { MethodKind, NamedMethod } from '#db/schema'
import {
  type Browser,
  findRecoveryLink,
  judgeAttempt,
  type LoadedAccount,
  loadAccount,
  type RecoveryLink,
} from '#recovery/account'
import { describeChange } from '#recovery/describe-change'
import { emailsOf, includes, type Method, methodsAt, type Target } from '#recovery/history'
import type { StoredMethod } from '#recovery/methods'
import { hasProvedFactor, type Opening, planCompletion, strongKinds } from '#recovery/recovery'

/** All that the page of a recovery link shows. */
export type RecoveryView = {
  /** Where the link was sent. */
  email: string
  targetEmail: string
  /** Changes since the target, oldest first. */
  timeline: { at: Date; sentences: string[] }[]
  /**
   * `new`: nothing was opened yet. `ready`: it can be completed. `decided`: an admin has allowed it
   * for another email.
   */
  state: 'new' | 'waiting' | 'admin' | 'decided' | 'ready'
  openedAt: Date | undefined
  /** The reader of this email, of another one, or an admin. */
  opener: 'you' | 'another' | 'admin' | undefined
  /** The end of the wait. */
  readyAt: Date | undefined
  /** The account would get this email back, and its owner may have left it since. */
  mayHaveLeft: boolean
  /** Methods that would be a proof and were not given yet. */
  provable: { kind: MethodKind; name: string | null }[]
  /** So the recovery does not end with the question for one. */
  hasProvedFactor: boolean
  choices: CompletionChoices | undefined
}

export type CompletionChoices = {
  needsPassword: boolean
  /** With strong proof: more than one. */
  emails: string[]
  /** With strong proof: methods that can be kept. */
  additions: NamedMethod[]
}

/** Undefined if the link no longer works. Changes nothing: mail scanners open links too. */
export async function viewRecovery(
  token: string | undefined,
  browser: Browser,
): Promise<RecoveryView | undefined> {
  const link = await findRecoveryLink(database(), token)
  if (!link) return undefined
  const account = await loadAccount(database(), link.userId)
  const judged = await judgeAttempt(database(), account, { ...link, browser })
  if (judged.result === 'invalid') return undefined
  const { target, proofs } = judged
  const before = methodsAt(target, account.methods) as StoredMethod[]
  return {
    email: link.email,
    targetEmail: target.email,
    timeline: timelineOf(target, account, link.email),
    state: stateOf(account, judged),
    openedAt: account.recovery && new Date(account.recovery.openedAt),
    opener: openerOf(account, link),
    readyAt: account.recovery && new Date(account.recovery.readyAt),
    mayHaveLeft: mayHaveLeft(link, judged),
    provable: before
      .filter((method) => !includes(proofs, method))
      // At another email a weak proof changes nothing.
      .filter(({ kind }) => link.email === target.email || strongKinds.includes(kind))
      .map(({ kind, name }) => ({ kind, name })),
    hasProvedFactor: hasProvedFactor(before, proofs),
    choices: choicesOf(account, judged, link, proofs),
  }
}

function timelineOf({ window }: Target, { changes }: LoadedAccount, reader: string) {
  const ids = new Set(window.map(({ id }) => id))
  return changes
    .filter(({ id }) => ids.has(id))
    .map((change) => ({ at: new Date(change.at), sentences: describeChange(change, reader) }))
}

function stateOf({ recovery }: LoadedAccount, judged: Opening): RecoveryView['state'] {
  if (!recovery) return 'new'
  if (judged.result === 'complete') return 'ready'
  return recovery.state === 'allowed' ? 'decided' : recovery.state
}

function openerOf({ recovery }: LoadedAccount, { email }: RecoveryLink): RecoveryView['opener'] {
  if (!recovery) return undefined
  if (recovery.openedBy.length === 0) return 'admin'
  return recovery.openedBy.includes(email) ? 'you' : 'another'
}

function mayHaveLeft({ email }: RecoveryLink, judged: Opening): boolean {
  if (judged.result === 'invalid' || judged.target.email !== email) return false
  if (judged.result === 'complete' && judged.strength === 'strong') return false
  const isDecidedByAdmin = judged.result === 'frozen' && judged.recovery.state !== 'waiting'
  return emailsOf(judged.target).length > 1 && !isDecidedByAdmin
}

function choicesOf(
  { methods, recovery }: LoadedAccount,
  judged: Opening,
  { email }: RecoveryLink,
  proofs: readonly Method[],
): CompletionChoices | undefined {
  if (!recovery || judged.result !== 'complete') return undefined
  const { target, strength } = judged
  const isStrong = strength === 'strong'
  const given = { strength, proofs, email: undefined }
  const none = planCompletion(target, methods, { ...given, kept: [] })
  const all = planCompletion(target, methods, { ...given, kept: methods })
  const additions = none.removed.filter((method) => !includes(all.removed, method))
  return {
    needsPassword: none.needsPassword,
    // The one whose mail was read comes first.
    emails: isStrong ? [...new Set([email, ...emailsOf(target)])] : [target.email],
    additions: (additions as StoredMethod[]).map(({ kind, id, name }) => ({ kind, id, name })),
  }
}
