import 'server-only'
import { record } from '@/core/audit/record'
import { askForMail } from '@/core/auth/ask-for-mail'
import { consumeLink, findLink, type Link } from '@/core/auth/links'
import { complaintAbout } from '@/core/auth/new-password'
import { hashPassword } from '@/core/auth/password'
import type { LiveSession, Scope } from '@/core/auth/scope'
import type { NewSession } from '@/core/auth/sessions'
import { replaceSession } from '@/core/auth/sign-in'
import { storePassword } from '@/core/auth/store-password'
import { type Database, database } from '@/core/db/client'
import { users } from '@/core/db/schema'
import { env } from '@/core/env'
import type { Allowance } from '@/core/limits/allow'

/** How somebody came to the last step: by a link they asked for, or by one that an admin sent. */
export type WayIn = 'verify_email' | 'invitation'

export type NewAccount = { token: string; name: string; password: string }

export type SignedUp =
  | { outcome: 'done'; created: NewSession }
  | { outcome: 'too_easy'; message: string }
  | { outcome: 'dead_link' | 'taken' }

/**
 * The first step takes an address and nothing else, and stores no account: whoever types somebody
 * else's leaves nothing behind that they could use later. The link leads to the last step.
 */
export function askToSignUp(scope: Scope, email: string): Promise<Allowance> {
  return askForMail(scope, { purpose: 'sign_up', email })
}

/** Whose the link is, while it can be used and accounts can be made this way. */
export async function findSignUp(way: WayIn, token: string | undefined): Promise<Link | undefined> {
  const open = env().SIGN_UP === 'open' || (env().SIGN_UP === 'invite' && way === 'invitation')
  return open ? findLink(way, token) : undefined
}

/** The last step: who holds the link chooses name and password, and only now is there an account. */
export async function finishSignUp(
  scope: Scope,
  way: WayIn,
  { token, name, password }: NewAccount,
  userAgent: string | undefined,
): Promise<SignedUp> {
  const link = await findSignUp(way, token)
  if (!link) return refused(database(), scope, 'dead_link')
  const message = complaintAbout(password, link.email)
  if (message) return { outcome: 'too_easy', message }
  const hash = await hashPassword(password)
  return database().transaction(async (transaction) => {
    const used = await consumeLink(transaction, way, token)
    if (!used) return refused(transaction, scope, 'dead_link')
    const user = await createUser(transaction, { email: used.email, name })
    if (!user) return refused(transaction, scope, 'taken')
    await storePassword(transaction, user.id, hash)
    for (const action of ['sign_up', 'verify_email', 'sign_in']) {
      await record(transaction, {
        ...event(scope),
        action,
        outcome: 'success',
        actorId: user.id,
        targetId: user.id,
        details: { by: way },
      })
    }
    return { outcome: 'done', created: await replaceSession(transaction, scope, user, userAgent) }
  })
}

/** Undefined when the address has got an account since the link was sent. */
async function createUser(
  transaction: Database,
  person: { email: string; name: string },
): Promise<LiveSession['user'] | undefined> {
  const [user] = await transaction
    .insert(users)
    .values({ ...person, emailVerifiedAt: new Date() })
    .onConflictDoNothing({ target: users.email })
    .returning({ id: users.id, email: users.email, name: users.name, role: users.role })
  return user
}

async function refused(
  transaction: Database,
  scope: Scope,
  outcome: 'dead_link' | 'taken',
): Promise<SignedUp> {
  const details = { reason: outcome }
  await record(transaction, { ...event(scope), action: 'sign_up', outcome: 'failure', details })
  return { outcome }
}

function event({ address, requestId }: Scope) {
  return { address, requestId }
}
