import 'server-only'
import { and, eq, lt, or, sql } from 'drizzle-orm'
import { type NewSession, replaceSession } from 'plinth/auth/sessions/session'
import { announceSignIn } from 'plinth/auth/sessions/steps'
import { type Database, database } from 'plinth/db/client'
import type { Scope } from 'plinth/http/scope'
import type { SignInCredential } from '../../fields'
import { passkeys } from '../../schema'
import { findUser, lockUser } from './challenges'
import { notProved, type ProveFactor, recordFailure, recordSignIn } from './complete-sign-in'
import {
  consumePasskeyChallenge,
  passkeyTimeoutMs,
  storePasskeyChallenge,
} from './passkey-challenges'
import { relyingParty, userHandle, webauthn } from './passkeys'

/** The options for a browser to use a passkey of any user. They tell nothing about the users. */
export async function createSignInOptions() {
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().id,
    timeout: passkeyTimeoutMs,
    userVerification: 'required',
  })
  await storePasskeyChallenge(database(), options.challenge, undefined)
  return options
}

type UsedPasskey = { id: string; userId: string; counter: number; synced: boolean }

type Unaccepted = { reason: 'expired' | 'unknown_passkey' | 'wrong_passkey'; userId?: string }

export type StoredPasskey = Pick<
  typeof passkeys.$inferSelect,
  'id' | 'userId' | 'publicKey' | 'counter'
>

/** The passkey that signed the response. It uses up the challenge, also if the response is wrong. */
export async function verifyPasskey(
  credential: SignInCredential,
  find: (id: string) => Promise<StoredPasskey | undefined> = findStored,
): Promise<UsedPasskey | Unaccepted> {
  const challenge = await consumePasskeyChallenge(credential.response.clientDataJSON, undefined)
  if (challenge === undefined) return { reason: 'expired' }
  const stored = await find(credential.id)
  if (!stored) return { reason: 'unknown_passkey' }
  const { id, userId, counter } = stored
  const wrong = { reason: 'wrong_passkey', userId } as const
  const handle = Buffer.from(userHandle(userId)).toString('base64url')
  const response = { ...credential.response, userHandle: handle }
  if (credential.response.userHandle !== handle) return wrong
  const party = relyingParty()
  const { verifyAuthenticationResponse } = await webauthn()
  const result = await verifyAuthenticationResponse({
    response: { ...credential, response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id, publicKey: new Uint8Array(stored.publicKey), counter },
    requireUserVerification: true,
  }).catch(() => undefined)
  if (!result?.verified) return wrong
  const { newCounter, credentialBackedUp } = result.authenticationInfo
  return { id, userId, counter: newCounter, synced: credentialBackedUp }
}

async function findStored(id: string): Promise<StoredPasskey | undefined> {
  const [stored] = await database().select().from(passkeys).where(eq(passkeys.id, id))
  return stored
}

/** Whether it still exists. A counter that does not grow is the sign of a copied key. */
async function markUsed(transaction: Database, { id, ...used }: UsedPasskey): Promise<boolean> {
  const { userId, counter, synced } = used
  const hasGrown = or(
    lt(passkeys.counter, counter),
    // Passkeys that are synced do not count.
    and(eq(passkeys.counter, 0), sql`${counter}::bigint = 0`),
  )
  const changed = await transaction
    .update(passkeys)
    .set({ counter, synced, lastUsedAt: sql`now()` })
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId), hasGrown))
    .returning({ id: passkeys.id })
  return changed.length > 0
}

/** For a user who is known already: only a passkey of theirs proves anything. */
export async function provePasskey(credential: SignInCredential): Promise<ProveFactor> {
  const used = await verifyPasskey(credential)
  return async (transaction, user) =>
    !('reason' in used) && used.userId === user.id && markUsed(transaction, used)
}

/**
 * A passkey alone: the authenticator has verified the user, so it counts as both factors. Undefined
 * if it was not accepted.
 */
export async function signInWithPasskey(
  scope: Scope,
  credential: SignInCredential,
): Promise<NewSession | undefined> {
  const used = await verifyPasskey(credential)
  const created = 'reason' in used ? undefined : await createSession(scope, used)
  if (created) return created
  const reason = 'reason' in used ? used.reason : 'wrong_passkey'
  const user = used.userId === undefined ? undefined : { id: used.userId }
  await recordFailure(scope, user && { user }, 'passkey', reason)
  return undefined
}

function createSession(scope: Scope, used: UsedPasskey): Promise<NewSession | undefined> {
  return database()
    .transaction(async (transaction) => {
      await lockUser(transaction, used.userId)
      const user = await findUser(used.userId, transaction)
      if (!user || !(await markUsed(transaction, used))) throw notProved
      await announceSignIn(transaction, scope, user)
      const created = await replaceSession(transaction, scope, user, { by: 'passkey' })
      await recordSignIn(transaction, scope, user, { by: 'passkey' })
      return created
    })
    .catch((error) => {
      if (error === notProved) return undefined
      throw error
    })
}
