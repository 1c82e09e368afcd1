import { eq, sql } from 'drizzle-orm'
import { record } from '#audit/record'
import { callbackData, requestMail } from '#auth/accounts/account-mail'
import { unlessEmailTaken } from '#auth/accounts/email-owner'
import { unlinkOtherAccounts } from '#auth/accounts/linked-accounts'
import { consumeLink, findLink, type Link } from '#auth/accounts/links'
import { hashPassword } from '#auth/passwords/hash'
import { passwordError } from '#auth/passwords/new-password'
import { storePassword } from '#auth/passwords/user-password'
import { type NewSession, replaceSession, revokeUserSessions } from '#auth/sessions/session'
import { findPendingStep, type PendingSignIn } from '#auth/sessions/steps'
import { env } from '#config/env'
import { type Database, database } from '#db/client'
import { users } from '#db/schema'
import type { Scope, SessionUser } from '#http/scope'
import type { RateLimitResult } from '#rate-limits/rate-limit'
import { changeSignIn } from '#recovery/changes'
import type { Role } from '#universal/users'

/** The purpose of the link: requested by the user, or sent by an admin. */
export type SignUpLink = 'verify_email' | 'invitation'

export type NewAccount = { token: string; name: string; password: string }

export type SignUp =
  | { outcome: 'done'; signedIn: NewSession | PendingSignIn }
  | { outcome: 'weak_password'; message: string }
  | { outcome: 'invalid_link' | 'email_taken' }

/** Stores no account: entering another user's email leaves nothing that could be used later. */
export function requestSignUpMail(
  scope: Scope,
  email: string,
  callbackUrl?: string,
): Promise<RateLimitResult> {
  return requestMail(scope, { purpose: 'sign_up', email, ...callbackData(callbackUrl) })
}

/** Undefined also while SIGN_UP does not allow this kind of link. */
export async function findSignUpLink(
  purpose: SignUpLink,
  token: string | undefined,
): Promise<Link | undefined> {
  const { SIGN_UP } = env()
  const allowed = SIGN_UP === 'open' || (SIGN_UP === 'invite' && purpose === 'invitation')
  return allowed ? findLink(purpose, token) : undefined
}

/** Creates the account: the link proves the email, and its holder chooses name and password. */
export async function finishSignUp(
  scope: Scope,
  purpose: SignUpLink,
  { token, name, password }: NewAccount,
): Promise<SignUp> {
  const link = await findSignUpLink(purpose, token)
  if (!link) return reject(database(), scope, 'invalid_link')
  const message = await passwordError(password, { email: link.email, name })
  if (message) return { outcome: 'weak_password', message }
  const hash = await hashPassword(password)
  return database().transaction(async (transaction) => {
    const used = await consumeLink(transaction, purpose, token)
    if (!used) return reject(transaction, scope, 'invalid_link')
    const user = await createUser(transaction, { email: used.email, name, role: used.role })
    if (!user) return reject(transaction, scope, 'email_taken')
    await storePassword(transaction, user.id, hash)
    const pending = await findPendingStep(transaction, scope, { user, by: 'link' })
    for (const action of ['sign_up', 'verify_email', ...(pending ? [] : ['sign_in'])]) {
      await record(transaction, {
        action,
        outcome: 'success',
        actorId: user.id,
        targetId: user.id,
        ip: scope.ip,
        requestId: scope.requestId,
        details: { by: purpose, ...(used.role ? { role: used.role } : {}) },
      })
    }
    const signedIn = pending ?? (await replaceSession(transaction, scope, user, { by: 'link' }))
    return { outcome: 'done', signedIn }
  })
}

/** Undefined if an account got this email, or it was reserved for one, after the link was sent. */
async function createUser(
  transaction: Database,
  { role = 'viewer', ...fields }: { email: string; name: string; role: Role | undefined },
): Promise<SessionUser | undefined> {
  const created = await unlessEmailTaken(transaction, (savepoint) =>
    savepoint
      .insert(users)
      .values({ ...fields, role, emailVerifiedAt: sql`now()` })
      .returning({ id: users.id, email: users.email, name: users.name, role: users.role }),
  )
  return created?.[0]
}

async function reject(
  transaction: Database,
  { ip, requestId }: Scope,
  outcome: 'invalid_link' | 'email_taken',
): Promise<SignUp> {
  const details = { reason: outcome }
  await record(transaction, { action: 'sign_up', outcome: 'failure', ip, requestId, details })
  return { outcome }
}

export type PasswordReset =
  | { outcome: 'done'; signedIn: NewSession | PendingSignIn }
  | { outcome: 'weak_password'; message: string }
  | { outcome: 'invalid_link' }

/** Also sets the first password of an account that has none. */
export function requestResetMail(
  scope: Scope,
  email: string,
  callbackUrl?: string,
): Promise<RateLimitResult> {
  return requestMail(scope, { purpose: 'reset_password', email, ...callbackData(callbackUrl) })
}

type NewPassword = {
  token: string
  password: string
  /** The providers whose accounts stay linked. */
  keep: readonly string[]
}

/**
 * The link proves access to the mailbox. All other sessions end, and linked accounts that the owner
 * does not keep can no longer sign in: a thief may have linked one.
 */
export async function resetPasswordWithLink(
  scope: Scope,
  { token, password, keep }: NewPassword,
): Promise<PasswordReset> {
  const link = await findLink('reset_password', token)
  if (!link) return rejectLink(database(), scope)
  const { email } = link
  const message = await passwordError(password, { email, name: await findName(link.userId) })
  if (message) return { outcome: 'weak_password', message }
  const hash = await hashPassword(password)
  return database().transaction(async (transaction): Promise<PasswordReset> => {
    const locked = link.userId ? await lockUser(transaction, link.userId) : undefined
    const used = await consumeLink(transaction, 'reset_password', token)
    if (!locked || !used) return rejectLink(transaction, scope)
    const { verifiedAt, ...user } = locked
    if (!verifiedAt) await verifyEmail(transaction, user.id)
    await changeSignIn(transaction, { userId: user.id }, async () => {
      // While the email was unverified, an account may have been linked by someone who only typed it.
      await unlinkOtherAccounts(transaction, scope, user.id, verifiedAt ? keep : [])
      await storePassword(transaction, user.id, hash)
    })
    await revokeUserSessions(transaction, user.id)
    const pending = await findPendingStep(transaction, scope, { user, by: 'link' })
    const actions = ['reset_password', ...(verifiedAt ? [] : ['verify_email'])]
    for (const action of pending ? actions : [...actions, 'sign_in']) {
      await record(transaction, {
        action,
        outcome: 'success',
        actorId: user.id,
        targetId: user.id,
        ip: scope.ip,
        requestId: scope.requestId,
        details: { by: 'link' },
      })
    }
    const signedIn = pending ?? (await replaceSession(transaction, scope, user, { by: 'link' }))
    return { outcome: 'done', signedIn }
  })
}

async function findName(id: string | null): Promise<string | undefined> {
  if (id === null) return undefined
  const [user] = await database().select({ name: users.name }).from(users).where(eq(users.id, id))
  return user?.name
}

/** Users are locked before their rows in other tables, as in every mutation. */
async function lockUser(transaction: Database, id: string) {
  const [user] = await transaction
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      role: users.role,
      theme: users.theme,
      verifiedAt: users.emailVerifiedAt,
    })
    .from(users)
    .where(eq(users.id, id))
    .for('no key update')
  return user
}

async function verifyEmail(transaction: Database, userId: string): Promise<void> {
  await transaction.update(users).set({ emailVerifiedAt: sql`now()` }).where(eq(users.id, userId))
}

async function rejectLink(transaction: Database, { ip, requestId }: Scope): Promise<PasswordReset> {
  await record(transaction, { action: 'reset_password', outcome: 'failure', ip, requestId })
  return { outcome: 'invalid_link' }
}
