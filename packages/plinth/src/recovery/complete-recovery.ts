import { eq } from 'drizzle-orm'
import { allowNewCodes } from '#auth/accounts/change-proofs'
import { restoreUser } from '#auth/accounts/deleted-accounts/restore'
import { setEmail } from '#auth/accounts/email-owner'
import { deleteUserLinks } from '#auth/accounts/links'
import { storePassword } from '#auth/passwords/user-password'
import { type NewSession, replaceSession } from '#auth/sessions/session'
import { announceSignIn, findPendingStep, type PendingSignIn } from '#auth/sessions/steps'
import type { Database } from '#db/client'
import { accountChanges, recoveries, users } from '#db/schema'
import type { Scope } from '#http/scope'
import { queueMail } from '#mail/mail'
import { type Browser, judgeAttempt, loadAccount } from '#recovery/account'
import { withLink } from '#recovery/follow-link'
import { emailsOf, type Method, methodsAt, type Target } from '#recovery/history'
import { removeMethods, restoreMethods, type StoredMethod } from '#recovery/methods'
import { type Completion, hasProvedFactor, planCompletion } from '#recovery/recovery'

export type Choices = {
  token: string
  browser: Browser
  /** The hash of the new password. */
  hash: string | undefined
  /** Chosen among the emails of the window. */
  email: string | undefined
  kept: readonly Method[]
}

export type Completed = {
  userId: string
  email: string
  needsCodes: boolean
  signedIn: NewSession | PendingSignIn
}

/** Another account has this email of the window by now. Nothing was changed. */
type EmailTaken = { takenEmail: string }

/** Undefined if the link no longer works, is not ready, or a password is missing. */
export function completeRecovery(
  scope: Scope,
  choices: Choices,
): Promise<Completed | EmailTaken | undefined> {
  const { token, browser, hash, email, kept } = choices
  return withLink(scope, { action: 'complete_recovery' }, token, async (transaction, link) => {
    const { userId } = link
    const account = await loadAccount(transaction, userId)
    const opening = await judgeAttempt(transaction, account, { ...link, browser })
    if (!account.recovery || opening.result !== 'complete') return undefined
    const { target, strength, proofs } = opening
    const plan = planCompletion(target, account.methods, { strength, proofs, email, kept })
    if (plan.needsPassword && hash === undefined) return undefined
    const taken = { takenEmail: plan.email }
    if (account.isDeleted) {
      const { outcome } = await restoreUser(transaction, userId, { email: plan.email })
      if (outcome === 'email_taken') return taken
      if (outcome !== 'restored') return undefined
    }
    if (!(await setEmail(transaction, userId, plan.email))) return taken
    await endHistory(transaction, userId)
    await applyPlan(transaction, userId, plan, hash)
    await queueNotices(transaction, target, plan.email)
    const { needsCodes } = plan
    const hasFactor = hasProvedFactor(methodsAt(target, account.methods), proofs)
    const signedIn = await signIn(transaction, scope, userId, { hasFactor, needsCodes })
    return signedIn && { userId, email: plan.email, needsCodes, signedIn }
  })
}

/** Links that were asked for while the account was frozen end too. */
async function endHistory(transaction: Database, userId: string): Promise<void> {
  await deleteUserLinks(transaction, userId)
  await transaction.delete(recoveries).where(eq(recoveries.userId, userId))
  await transaction.delete(accountChanges).where(eq(accountChanges.userId, userId))
}

async function applyPlan(
  transaction: Database,
  userId: string,
  { removed, restored, needsPassword }: Completion,
  hash: string | undefined,
): Promise<void> {
  await removeMethods(transaction, userId, removed)
  await restoreMethods(transaction, restored as StoredMethod[])
  if (needsPassword && hash !== undefined) await storePassword(transaction, userId, hash)
}

async function queueNotices(transaction: Database, target: Target, email: string): Promise<void> {
  for (const to of emailsOf(target)) {
    await queueMail(transaction, { purpose: 'recovery_completed', email: to, data: { email } })
  }
}

type Proven = { hasFactor: boolean; needsCodes: boolean }

/**
 * Without a factor among the proofs it is still asked for: neither the mailbox, nor a password or a
 * provider, gets around it.
 */
async function signIn(
  transaction: Database,
  scope: Scope,
  userId: string,
  { hasFactor, needsCodes }: Proven,
) {
  const [user] = await transaction
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      role: users.role,
      theme: users.theme,
    })
    .from(users)
    .where(eq(users.id, userId))
  if (!user) return undefined
  const by = 'recovery'
  const pending = hasFactor ? undefined : await findPendingStep(transaction, scope, { user, by })
  if (pending) return pending
  if (hasFactor) await announceSignIn(transaction, scope, user)
  const created = await replaceSession(transaction, scope, user, { by })
  if (needsCodes) await allowNewCodes(transaction, created.session)
  return created
}
