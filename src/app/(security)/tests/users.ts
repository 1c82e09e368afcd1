import { eq } from 'drizzle-orm'
import { hashPassword } from 'plinth/auth/passwords/hash'
import { storePassword } from 'plinth/auth/passwords/user-password'
import { createSession } from 'plinth/auth/sessions/session'
import { database as currentDatabase, type Database } from 'plinth/db/client'
import { accountChanges, mailQueue, users } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
import { describeChange } from 'plinth/recovery/describe-change'
import { giveAllProofs, newClient, newScope } from 'plinth/testing'
import { isActionError } from 'plinth/universal/action-result'
import type { Role } from 'plinth/universal/users'
import { confirmAuthenticatorApp, startAuthenticatorApp } from '../actions'
import { decrypt } from '../data/factors/encryption'
import { codeAt, stepAt } from '../data/factors/totp'
import { addPasskey, startPasskey } from '../passkey-actions'
import { authenticatorApps } from '../schema'
import { newAuthenticator } from './authenticator'

export const password = 'a few words in a row'

let hash: Promise<string> | undefined
let count = 0

/** A user with a password and a session. */
export async function newUser(database: Database, role: Role = 'viewer') {
  hash ??= hashPassword(password)
  count += 1
  const email = `user-${process.pid}-${count}@example.com`
  const [user] = await database
    .insert(users)
    .values({ email, name: 'User', role, emailVerifiedAt: new Date() })
    .returning()
  if (!user) throw new Error('The user was not stored.')
  await storePassword(database, user.id, await hash)
  const device = { ip: '127.0.0.1', userAgent: 'test' }
  const { session, token } = await createSession(database, user, device, { by: 'password' })
  const scope: SignedInScope = { ...newScope(), session }
  return { id: user.id, email, user, scope, token }
}

/** Sets up an authenticator app as the user would. */
export async function addApp(database: Database, scope: SignedInScope) {
  await giveAllProofs(database, scope, 'add_factor')
  succeeded(await startAuthenticatorApp.run(scope, { purpose: 'set_up' }))
  const secret = await secretOf(database, scope.session.user.id)
  const { codes } = succeeded(await confirmAuthenticatorApp.run(scope, { code: nextCode(secret) }))
  // The test may use the same code, as if a minute had passed.
  await database
    .update(authenticatorApps)
    .set({ lastStep: 0 })
    .where(eq(authenticatorApps.userId, scope.session.user.id))
  return { secret, codes }
}

/** Starts to add a passkey. */
export async function startRegistration(scope: SignedInScope) {
  const { user } = scope.session
  await giveAllProofs(currentDatabase(), scope, 'add_factor')
  const options = succeeded(await startPasskey.run(scope, {}))
  return { options, authenticator: newAuthenticator(user.id) }
}

async function register(scope: SignedInScope, name = 'Laptop') {
  const { options, authenticator } = await startRegistration(scope)
  const credential = authenticator.register(options)
  const { codes } = succeeded(await addPasskey.run(scope, { credential, name }))
  return { authenticator, codes }
}

/** A user with a passkey, and a browser that is not signed in. */
export async function newPasskeyUser(database: Database) {
  const user = await newUser(database)
  const { authenticator, codes } = await register(user.scope)
  const client = newClient()
  const options = async () => (await client.post('/api/auth/passkeys/options', {})).json()
  const verify = (credential: object, fields: object = {}) =>
    client.post('/api/auth/passkeys/verify', { credential, redirect: false, ...fields })
  return { ...user, authenticator, codes, client, options, verify }
}

/** The queued notices of changes, oldest first: their sentences, and whether each has a link. */
export async function changeNotices(database: Database) {
  const changes = await database.select().from(accountChanges).orderBy(accountChanges.position)
  const queued = await database.select().from(mailQueue).orderBy(mailQueue.id)
  return queued.flatMap(({ email, purpose, data }) => {
    const change = changes.find(({ id }) => purpose === 'account_changed' && id === data.changeId)
    return change ? [{ email, says: describeChange(change, email), link: change.link }] : []
  })
}

/** The next code that was not used yet. */
export function nextCode(secret: Buffer): string {
  return codeAt(secret, stepAt(Date.now()))
}

export async function secretOf(database: Database, userId: string): Promise<Buffer> {
  const [row] = await database
    .select()
    .from(authenticatorApps)
    .where(eq(authenticatorApps.userId, userId))
  const secret = row && decrypt(row, userId)
  if (!secret) throw new Error('There is no secret.')
  return secret
}

export function succeeded<Result>(result: Result) {
  if (isActionError(result)) throw new Error(JSON.stringify(result))
  return result as Exclude<Result, { ok: false }>
}
