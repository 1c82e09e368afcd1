import 'server-only'
import { and, asc, eq, ne } from 'drizzle-orm'
import { env } from 'plinth/config/env'
import { type Database, database } from 'plinth/db/client'
import type { SessionUser } from 'plinth/http/scope'
import { config } from '@/plinth.config'
import type { RegistrationCredential } from '../../fields'
import { passkeys } from '../../schema'
import {
  consumePasskeyChallenge,
  passkeyTimeoutMs,
  storePasskeyChallenge,
} from './passkey-challenges'

/** More is no use to anyone, and every one of them is sent to the browser that adds another. */
const maxPasskeys = 50

/** Loaded at its first use: it takes half a second, which every start would pay. */
export function webauthn() {
  return import('@simplewebauthn/server')
}

/** A passkey belongs to the host of AUTH_URL, and works nowhere else. */
export function relyingParty(): { id: string; origin: string } {
  const { hostname, origin } = new URL(env().AUTH_URL)
  return { id: hostname, origin }
}

/** The options for a browser to create a passkey. */
export async function createRegistrationOptions(writer: Database, user: SessionUser) {
  const own = await writer
    .select({ id: passkeys.id, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.userId, user.id))
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: config.name,
    rpID: relyingParty().id,
    userID: userHandle(user.id),
    userName: user.email,
    userDisplayName: user.name,
    timeout: passkeyTimeoutMs,
    attestationType: 'none',
    excludeCredentials: own,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await storePasskeyChallenge(writer, options.challenge, user.id)
  return options
}

/** The authenticator returns it at sign-in. */
export function userHandle(userId: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(userId)
}

export type Registration = Pick<
  typeof passkeys.$inferInsert,
  'id' | 'publicKey' | 'counter' | 'transports' | 'synced'
>

/** Undefined if the response is not for a challenge of this user, or is wrong. */
export async function verifyRegistration(
  userId: string,
  credential: RegistrationCredential,
): Promise<Registration | undefined> {
  const challenge = await consumePasskeyChallenge(credential.response.clientDataJSON, userId)
  if (challenge === undefined) return undefined
  const party = relyingParty()
  const { verifyRegistrationResponse } = await webauthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo) return undefined
  const { id, publicKey, counter } = registrationInfo.credential
  return {
    id,
    publicKey: Buffer.from(publicKey),
    counter,
    transports: credential.response.transports,
    synced: registrationInfo.credentialBackedUp,
  }
}

/** Whether it was stored. Not if it exists already, or if the user has too many. */
export async function storePasskey(
  transaction: Database,
  userId: string,
  passkey: Registration & { name: string },
): Promise<boolean> {
  if ((await countPasskeys(userId, transaction)) >= maxPasskeys) return false
  const stored = await transaction
    .insert(passkeys)
    .values({ ...passkey, userId, rpId: relyingParty().id })
    .onConflictDoNothing()
    .returning({ id: passkeys.id })
  return stored.length > 0
}

export function countPasskeys(userId: string, reader = database()): Promise<number> {
  return reader.$count(passkeys, eq(passkeys.userId, userId))
}

/** Counts passkeys that no longer work because the host of AUTH_URL has changed. */
export function countPasskeysElsewhere(reader: Database, host: string): Promise<number> {
  return reader.$count(passkeys, ne(passkeys.rpId, host))
}

/** Without the key. */
const columns = {
  id: passkeys.id,
  name: passkeys.name,
  synced: passkeys.synced,
  createdAt: passkeys.createdAt,
  lastUsedAt: passkeys.lastUsedAt,
}

export function listPasskeys(userId: string) {
  return database()
    .select(columns)
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id))
    .limit(maxPasskeys)
}

export async function findPasskey(userId: string, id: string) {
  const [found] = await database().select(columns).from(passkeys).where(isOwn(userId, id))
  return found
}

/** Whether the user has it. */
export async function storePasskeyName(
  transaction: Database,
  userId: string,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  const changed = await transaction
    .update(passkeys)
    .set({ name })
    .where(isOwn(userId, id))
    .returning({ id: passkeys.id })
  return changed.length > 0
}

/** Its name, or undefined if the user does not have it. */
export async function deletePasskey(
  transaction: Database,
  userId: string,
  id: string,
): Promise<string | undefined> {
  const [deleted] = await transaction
    .delete(passkeys)
    .where(isOwn(userId, id))
    .returning({ name: passkeys.name })
  return deleted?.name
}

function isOwn(userId: string, id: string) {
  return and(eq(passkeys.userId, userId), eq(passkeys.id, id))
}
