import 'server-only'
import { record } from '@/core/audit/record'
import { confirmSession } from '@/core/auth/confirm-session'
import type { Identity } from '@/core/auth/identity'
import {
  addAccount,
  createOwner,
  findOwner,
  type Person,
  waitForAccount,
} from '@/core/auth/provider-accounts'
import type { Scope } from '@/core/auth/scope'
import type { NewSession } from '@/core/auth/sessions'
import { replaceSession } from '@/core/auth/sign-in'
import { type Database, database } from '@/core/db/client'
import { env } from '@/core/env'

/** A way to a provider and back. */
export type Journey = {
  /** The session that wanted another way to sign in, where it began with one. */
  linkTo: string | undefined
  userAgent: string | undefined
}

export type ProviderRefusal =
  | 'unauthenticated'
  | 'email_not_verified'
  | 'email_in_use'
  | 'sign_up_closed'
  | 'account_linked_elsewhere'
  | 'provider_linked_already'

type Action = 'sign_in' | 'sign_up' | 'link_account'

type Outcome =
  | { done: Action[]; user: Person }
  | { done?: never; refused: ProviderRefusal; action: Action; targetId?: string | undefined }

/**
 * A new session for whom a provider vouches for, or why not. Finding, creating and linking are one
 * transaction with the session and the trail: nobody is ever left with half of it.
 */
export function signInWithProvider(
  scope: Scope,
  identity: Identity,
  { linkTo, userAgent }: Journey,
): Promise<NewSession | ProviderRefusal> {
  return database().transaction(async (transaction) => {
    await waitForAccount(transaction, identity)
    const outcome = linkTo
      ? await link(transaction, { scope, identity, linkTo })
      : await signInOrUp(transaction, identity)
    const origin = { address: scope.address, requestId: scope.requestId }
    if (!outcome.done) {
      const { refused, action, targetId } = outcome
      const details = { by: identity.provider, reason: refused }
      const actorId = scope.session?.user.id
      await record(transaction, {
        ...origin,
        action,
        outcome: 'denied',
        actorId,
        targetId,
        details,
      })
      return refused
    }
    const { user } = outcome
    const created = await replaceSession(transaction, scope, user, userAgent)
    for (const action of outcome.done) {
      const details = { by: identity.provider }
      const about = { actorId: user.id, targetId: user.id, details }
      await record(transaction, { ...origin, action, outcome: 'success', ...about })
    }
    return created
  })
}

/** For a journey that came to nothing before anybody was vouched for. */
export async function recordFailedJourney(
  { session, address, requestId }: Scope,
  { by, reason, linkTo }: { by: string; reason: string; linkTo: string | undefined },
): Promise<void> {
  await record(database(), {
    action: linkTo ? 'link_account' : 'sign_in',
    outcome: 'failure',
    actorId: session?.user.id,
    address,
    requestId,
    details: { by, reason },
  })
}

async function signInOrUp(transaction: Database, identity: Identity): Promise<Outcome> {
  const owner = await findOwner(transaction, identity)
  if (owner) return { done: ['sign_in'], user: owner }
  const refuse = (refused: ProviderRefusal) => ({ refused, action: 'sign_up' as const })
  if (identity.email === undefined) return refuse('email_not_verified')
  // Never linked by the address alone: whoever gets hold of it elsewhere would get in here.
  const { created, taken } = await createOwner(transaction, identity, env().SIGN_UP === 'open')
  if (created) return { done: ['sign_up', 'sign_in'], user: created }
  if (taken) return { ...refuse('email_in_use'), action: 'sign_in', targetId: taken }
  return refuse('sign_up_closed')
}

type Wish = { scope: Scope; identity: Identity; linkTo: string }

/** Only for the very session that asked, and only while it is alive: the journey takes minutes. */
async function link(
  transaction: Database,
  { scope: { session }, identity, linkTo }: Wish,
): Promise<Outcome> {
  const refuse = (refused: ProviderRefusal) => ({ refused, action: 'link_account' as const })
  const mine = session?.id === linkTo ? await confirmSession(transaction, session) : undefined
  if (!mine) return refuse('unauthenticated')
  const owner = await findOwner(transaction, identity)
  if (owner) {
    if (owner.id !== mine.user.id) return refuse('account_linked_elsewhere')
    return { done: ['sign_in'], user: owner }
  }
  const added = await addAccount(transaction, mine.user.id, identity)
  return added ? { done: ['link_account'], user: mine.user } : refuse('provider_linked_already')
}
