import { eq } from 'drizzle-orm'
import { env } from 'plinth/config/env'
import { mailQueue } from 'plinth/db/schema'
import {
  databaseRows,
  giveAllProofs,
  newClient,
  snapshotDatabase,
  testDatabase,
} from 'plinth/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { exportSecurity } from '../../data/overview'
import { checkSecurity } from '../../doctor'
import { addPasskey, removePasskey, renamePasskey, startPasskey } from '../../passkey-actions'
import { passkeys, recoveryCodes } from '../../schema'
import { newAuthenticator } from '../authenticator'
import {
  changeNotices,
  newPasskeyUser,
  newUser,
  password,
  startRegistration,
  succeeded,
} from '../users'

const db = testDatabase()
const { lastEvents } = databaseRows(db)

afterEach(async () => {
  await db.database.delete(mailQueue)
  Object.assign(env(), { SECOND_FACTOR: 'optional' })
})

describe('registration', () => {
  test('stores the passkey, returns recovery codes once and sends a mail', async () => {
    const { id, email, scope } = await newUser(db.database)
    const { options, authenticator } = await startRegistration(scope)
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    })
    const credential = authenticator.register(options)
    const added = succeeded(await addPasskey.run(scope, { credential, name: 'Laptop' }))
    expect(added.codes).toHaveLength(10)
    expect(await db.database.select().from(passkeys).where(eq(passkeys.userId, id))).toMatchObject([
      { id: authenticator.id, name: 'Laptop', counter: 0, rpId: 'localhost', synced: false },
    ])
    const says = ['Recovery codes were created.', 'The passkey “Laptop” was added.']
    expect(await changeNotices(db.database)).toEqual([{ email, says, link: 'open' }])
    const second = await startRegistration(scope)
    expect(second.options.excludeCredentials).toMatchObject([{ id: authenticator.id }])
    const other = second.authenticator.register(second.options)
    expect(succeeded(await addPasskey.run(scope, { credential: other })).codes).toEqual([])
  })

  test('the doctor warns of passkeys for another host', async () => {
    await newPasskeyUser(db.database)
    await db.database.update(passkeys).set({ rpId: 'localhost' })
    const count = await db.database.$count(passkeys)
    const messages = async (AUTH_URL: string) => {
      const settings = { ...env(), AUTH_URL }
      const findings = await checkSecurity({ settings, authSecrets: [], database: db.database })
      return findings.map(({ level, message }) => `${level}: ${message}`)
    }
    expect(await messages('http://localhost:3000')).toEqual(['ok: Passkeys are for localhost.'])
    const subject = count === 1 ? 'One passkey is' : `${count} passkeys are`
    expect(await messages('https://app.example.com')).toEqual([
      'ok: Passkeys are for app.example.com.',
      `warning: ${subject} for another host than app.example.com and cannot be used.`,
    ])
  })

  test('names a passkey after the device', async () => {
    const { id, scope } = await newUser(db.database)
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36'
    const { options, authenticator } = await startRegistration(scope)
    const credential = authenticator.register(options)
    succeeded(await addPasskey.run({ ...scope, userAgent }, { credential }))
    const [stored] = await db.database.select().from(passkeys).where(eq(passkeys.userId, id))
    expect(stored?.name).toBe('Chrome on Linux')
  })

  type Start = Awaited<ReturnType<typeof startRegistration>>
  type Responses = [string, (start: Start) => object][]
  const wrong: Responses = [
    ['an invented challenge', () => ({ challenge: 'aW52ZW50ZWQ' })],
    ['another origin', () => ({ origin: 'http://localhost:3001' })],
    ['another RP', () => ({ rpId: 'example.com' })],
    ['no user verification', () => ({ userVerified: false })],
  ]

  test.each(wrong)('refuses %s, changes nothing and is audited', async (_, change) => {
    const { scope, id } = await newUser(db.database)
    const start = await startRegistration(scope)
    const before = await snapshotDatabase(db.database)
    const given = { challenge: start.options.challenge, ...change(start) }
    const credential = start.authenticator.register(given)
    expect(await addPasskey.run(scope, { credential })).toMatchObject({ code: 'conflict' })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await lastEvents(1)).toMatchObject([
      { action: 'add_passkey', outcome: 'failure', targetId: id },
    ])
  })

  test('refuses the challenge of another user, of a sign-in, and a used one', async () => {
    const { scope } = await newUser(db.database)
    const other = await startRegistration((await newUser(db.database)).scope)
    const signIn = await (await newClient().post('/api/auth/passkeys/options', {})).json()
    const { options, authenticator } = await startRegistration(scope)
    succeeded(await addPasskey.run(scope, { credential: authenticator.register(options) }))
    for (const { challenge } of [other.options, signIn, options]) {
      await giveAllProofs(db.database, scope, 'add_factor')
      const credential = newAuthenticator(scope.session.user.id).register({ challenge })
      expect(await addPasskey.run(scope, { credential })).toMatchObject({ code: 'conflict' })
    }
    expect(await db.database.$count(passkeys, eq(passkeys.userId, scope.session.user.id))).toBe(1)
  })

  test('refuses a passkey that exists', async () => {
    const { authenticator } = await newPasskeyUser(db.database)
    const { scope } = await newUser(db.database)
    await giveAllProofs(db.database, scope, 'add_factor')
    const options = succeeded(await startPasskey.run(scope, {}))
    const credential = authenticator.register(options)
    expect(await addPasskey.run(scope, { credential })).toMatchObject({ code: 'conflict' })
  })
})

describe('a passkey', () => {
  test('can be renamed by its user only', async () => {
    const { id, scope, authenticator } = await newPasskeyUser(db.database)
    const change = { passkeyId: authenticator.id, name: 'Phone' }
    const { scope: other } = await newUser(db.database)
    expect(await renamePasskey.run(other, change)).toMatchObject({ code: 'not_found' })
    succeeded(await renamePasskey.run(scope, change))
    const [stored] = await db.database.select().from(passkeys).where(eq(passkeys.userId, id))
    expect(stored?.name).toBe('Phone')
  })

  test('ends the protection of the account if it is the last factor', async () => {
    const { id, email, scope, authenticator } = await newPasskeyUser(db.database)
    await db.database.delete(mailQueue)
    const { scope: other } = await newUser(db.database)
    const passkeyId = authenticator.id
    await giveAllProofs(db.database, other, 'remove_factor')
    expect(await removePasskey.run(other, { passkeyId })).toMatchObject({ code: 'not_found' })
    await giveAllProofs(db.database, scope, 'remove_factor')
    succeeded(await removePasskey.run(scope, { passkeyId }))
    expect(await db.database.$count(recoveryCodes, eq(recoveryCodes.userId, id))).toBe(0)
    const says = ['The recovery codes were removed.', 'The passkey “Laptop” was removed.']
    expect(await changeNotices(db.database)).toEqual([{ email, says, link: 'open' }])
    expect((await newClient().signIn(email, password)).status).toBe(200)
  })

  test('cannot be removed if it is the last factor of a user who needs one', async () => {
    const { id, scope, authenticator } = await newPasskeyUser(db.database)
    Object.assign(env(), { SECOND_FACTOR: 'everyone' })
    await giveAllProofs(db.database, scope, 'remove_factor')
    const removed = await removePasskey.run(scope, { passkeyId: authenticator.id })
    expect(removed).toMatchObject({ code: 'conflict' })
    expect(await db.database.$count(passkeys, eq(passkeys.userId, id))).toBe(1)
  })

  test('is in the data export, without its key', async () => {
    const { scope, authenticator } = await newPasskeyUser(db.database)
    const { passkeys: exported } = await exportSecurity(scope)
    expect(exported).toEqual([
      {
        id: authenticator.id,
        name: 'Laptop',
        synced: false,
        createdAt: expect.any(Date),
        lastUsedAt: null,
      },
    ])
  })
})
