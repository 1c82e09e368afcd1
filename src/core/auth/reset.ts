import 'server-only'
import { eq } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import { askForMail } from '@/core/auth/ask-for-mail'
import { consumeLink, findLink } from '@/core/auth/links'
import { complaintAbout } from '@/core/auth/new-password'
import { hashPassword } from '@/core/auth/password'
import type { Scope } from '@/core/auth/scope'
import { endSessionsOf, type NewSession } from '@/core/auth/sessions'
import { replaceSession } from '@/core/auth/sign-in'
import { storePassword } from '@/core/auth/store-password'
import { type Database, database } from '@/core/db/client'
import { accounts, users } from '@/core/db/schema'
import type { Allowance } from '@/core/limits/allow'
import { queueMail } from '@/core/mail/queue'
import { sendSoon } from '@/core/mail/wake'

export type Reset =
  | { outcome: 'done'; created: NewSession }
  | { outcome: 'too_easy'; message: string }
  | { outcome: 'dead_link' }

/** Also how an account that has no password yet gets one. */
export function askToResetPassword(scope: Scope, email: string): Promise<Allowance> {
  return askForMail(scope, { purpose: 'reset_password', email })
}

/**
 * Who holds the link has the mailbox: the new password is theirs, and whoever was signed in until
 * now no longer is.
 */
export async function resetPassword(
  scope: Scope,
  { token, password }: { token: string; password: string },
  userAgent: string | undefined,
): Promise<Reset> {
  const link = await findLink('reset_password', token)
  if (!link) return refused(database(), scope)
  const message = complaintAbout(password, link.email)
  if (message) return { outcome: 'too_easy', message }
  const hash = await hashPassword(password)
  const result = await database().transaction(async (transaction): Promise<Reset> => {
    const user = link.userId ? await lockUser(transaction, link.userId) : undefined
    const used = await consumeLink(transaction, 'reset_password', token)
    if (!user || !used) return refused(transaction, scope)
    const { verifiedAt, ...person } = user
    if (!verifiedAt) await provePossession(transaction, person.id)
    await storePassword(transaction, person.id, hash)
    await endSessionsOf(transaction, person.id)
    await queueMail(transaction, { purpose: 'password_changed', email: person.email })
    const done = ['reset_password', ...(verifiedAt ? [] : ['verify_email']), 'sign_in']
    for (const action of done) {
      await record(transaction, {
        ...eventOf(scope),
        action,
        outcome: 'success',
        actorId: person.id,
        targetId: person.id,
        details: { by: 'link' },
      })
    }
    return { outcome: 'done', created: await replaceSession(transaction, scope, person, userAgent) }
  })
  if (result.outcome === 'done') sendSoon()
  return result
}

/** Before anything that is theirs, as all who change something of a person do. */
async function lockUser(transaction: Database, id: string) {
  const [user] = await transaction
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      role: users.role,
      verifiedAt: users.emailVerifiedAt,
    })
    .from(users)
    .where(eq(users.id, id))
    .for('no key update')
  return user
}

/**
 * Until now nobody had shown that the address is theirs. What was attached to the account before
 * may belong to somebody who had only typed it, and must not outlive this moment.
 */
async function provePossession(transaction: Database, userId: string): Promise<void> {
  await transaction.delete(accounts).where(eq(accounts.userId, userId))
  await transaction.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, userId))
}

async function refused(transaction: Database, scope: Scope): Promise<Reset> {
  await record(transaction, { ...eventOf(scope), action: 'reset_password', outcome: 'failure' })
  return { outcome: 'dead_link' }
}

function eventOf({ address, requestId }: Scope) {
  return { address, requestId }
}
