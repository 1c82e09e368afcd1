import { eq } from 'drizzle-orm'
import { sessions } from 'plinth/db/schema'
import {
  databaseRows,
  giveAllProofs,
  newClient,
  snapshotDatabase,
  testDatabase,
} from 'plinth/testing'
import { describe, expect, test } from 'vitest'
import { confirmWithPasskey, removePasskey } from '../../passkey-actions'
import { passkeyChallenges, passkeys } from '../../schema'
import { newAuthenticator } from '../authenticator'
import { addApp, newPasskeyUser, newUser, nextCode, password, succeeded } from '../users'

const db = testDatabase()
const { lastEvents } = databaseRows(db)

const sessionCount = () => db.database.$count(sessions)

describe('sign-in', () => {
  test('needs no further step', async () => {
    const { id, email, authenticator, client, options, verify } = await newPasskeyUser(db.database)
    const given = await options()
    expect(given).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    const response = await verify(authenticator.signIn(given), { callbackUrl: '/home' })
    expect(await response.json()).toMatchObject({ url: '/home', session: { user: { email } } })
    expect(await client.session()).toMatchObject({ user: { email } })
    const [stored] = await db.database.select().from(passkeys).where(eq(passkeys.userId, id))
    expect(stored).toMatchObject({ counter: 1, lastUsedAt: expect.any(Date) })
    expect(await lastEvents(1)).toMatchObject([
      { action: 'sign_in', outcome: 'success', actorId: id, details: { by: 'passkey' } },
    ])
  })

  test('returns a token with transport bearer', async () => {
    const { authenticator, client, options, verify } = await newPasskeyUser(db.database)
    const credential = authenticator.signIn(await options())
    const { token } = await (await verify(credential, { transport: 'bearer' })).json()
    expect(await newClient().session({ authorization: `Bearer ${token}` })).not.toBeNull()
    expect([...client.cookies.keys()]).toEqual([])
  })

  type User = Awaited<ReturnType<typeof newPasskeyUser>>
  type Attempts = [string, string, (user: User, challenge: string) => object | Promise<object>][]
  const wrong: Attempts = [
    [
      'an invented challenge',
      'expired',
      ({ authenticator }) => authenticator.signIn({ challenge: 'aW52ZW50ZWQ' }),
    ],
    [
      'an unknown passkey',
      'unknown_passkey',
      ({ id }, challenge) => newAuthenticator(id).signIn({ challenge }),
    ],
    [
      'another origin',
      'wrong_passkey',
      ({ authenticator }, challenge) =>
        authenticator.signIn({ challenge, origin: 'http://localhost:3001' }),
    ],
    [
      'another RP',
      'wrong_passkey',
      ({ authenticator }, challenge) => authenticator.signIn({ challenge, rpId: 'example.com' }),
    ],
    [
      'no user verification',
      'wrong_passkey',
      ({ authenticator }, challenge) => authenticator.signIn({ challenge, userVerified: false }),
    ],
    [
      'the key of another passkey',
      'wrong_passkey',
      ({ id, authenticator }, challenge) => ({
        ...newAuthenticator(id).signIn({ challenge }),
        id: authenticator.id,
        rawId: authenticator.id,
      }),
    ],
    [
      'the handle of another user',
      'wrong_passkey',
      ({ authenticator }, challenge) => {
        const credential = authenticator.signIn({ challenge })
        const userHandle = Buffer.from('another').toString('base64url')
        return { ...credential, response: { ...credential.response, userHandle } }
      },
    ],
    [
      'a registration',
      'wrong_passkey',
      ({ authenticator }, challenge) => {
        const { clientDataJSON } = authenticator.register({ challenge }).response
        const credential = authenticator.signIn({ challenge })
        return { ...credential, response: { ...credential.response, clientDataJSON } }
      },
    ],
  ]

  test.each(wrong)('refuses %s, changes nothing and is audited', async (_, reason, attempt) => {
    const user = await newPasskeyUser(db.database)
    const { challenge } = await user.options()
    const before = await snapshotDatabase(db.database)
    const response = await user.verify(await attempt(user, challenge))
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'invalid_passkey' })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await lastEvents(1)).toMatchObject([
      { action: 'sign_in', outcome: 'failure', details: { with: 'passkey', reason } },
    ])
  })

  test('refuses a replay, also of a refused response', async () => {
    const { authenticator, options, verify } = await newPasskeyUser(db.database)
    const credential = authenticator.signIn(await options())
    expect((await verify(credential)).status).toBe(200)
    expect((await verify(credential)).status).toBe(401)
    const { challenge } = await options()
    const refused = authenticator.signIn({ challenge, userVerified: false })
    expect((await verify(refused)).status).toBe(401)
    expect((await verify(authenticator.signIn({ challenge }))).status).toBe(401)
  })

  test('refuses an expired challenge', async () => {
    const { authenticator, options, verify } = await newPasskeyUser(db.database)
    const credential = authenticator.signIn(await options())
    await db.database.update(passkeyChallenges).set({ expiresAt: new Date(Date.now() - 1000) })
    expect((await verify(credential)).status).toBe(401)
  })

  test('refuses a counter that has not grown', async () => {
    const { id, authenticator, options, verify } = await newPasskeyUser(db.database)
    await db.database.update(passkeys).set({ counter: 5 }).where(eq(passkeys.userId, id))
    expect((await verify(authenticator.signIn(await options()))).status).toBe(401)
  })

  test('refuses a removed passkey', async () => {
    const { authenticator, scope, options, verify } = await newPasskeyUser(db.database)
    await giveAllProofs(db.database, scope, 'remove_factor')
    succeeded(await removePasskey.run(scope, { passkeyId: authenticator.id }))
    expect((await verify(authenticator.signIn(await options()))).status).toBe(401)
  })

  test('of 50 parallel uses of a challenge one wins', async () => {
    const { authenticator, options, verify } = await newPasskeyUser(db.database)
    const given = await options()
    const before = await sessionCount()
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => verify(authenticator.signIn(given))),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sessionCount()).toBe(before + 1)
  })

  test('is rate-limited per IP', async () => {
    const client = newClient()
    let response = await client.post('/api/auth/passkeys/options', {})
    for (let count = 0; response.status === 200 && count < 200; count += 1) {
      response = await client.post('/api/auth/passkeys/options', {})
    }
    expect(response.status).toBe(429)
    expect((await newClient().post('/api/auth/passkeys/options', {})).status).toBe(200)
  })
})

describe('as a second factor', () => {
  async function startSignIn() {
    const user = await newPasskeyUser(db.database)
    const started = await user.client.signIn(user.email, password)
    const { challenge, methods } = await started.json()
    const complete = (credential: object) =>
      user.client.post('/api/auth/signin/verify', {
        challenge,
        method: 'passkey',
        credential,
        redirect: false,
      })
    return { ...user, methods, complete }
  }

  test('completes the sign-in', async () => {
    const { email, methods, authenticator, client, options, complete } = await startSignIn()
    expect(methods).toEqual(['passkey', 'recovery_code'])
    const response = await complete(authenticator.signIn(await options()))
    expect(response.status).toBe(200)
    expect(await client.session()).toMatchObject({ user: { email } })
    expect(await lastEvents(1)).toMatchObject([
      { action: 'sign_in', outcome: 'success', details: { by: 'password', with: 'passkey' } },
    ])
  })

  test('refuses the passkey of another user, and a replay', async () => {
    const { options, complete, client } = await startSignIn()
    const other = await newPasskeyUser(db.database)
    const credential = other.authenticator.signIn(await options())
    const before = await sessionCount()
    for (const _ of [1, 2]) {
      const response = await complete(credential)
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ code: 'invalid_passkey' })
    }
    expect(await sessionCount()).toBe(before)
    expect(await client.session()).toBeNull()
    expect(await lastEvents(1)).toMatchObject([
      { outcome: 'failure', details: { with: 'passkey', reason: 'wrong_passkey' } },
    ])
  })

  test('needs the credential, and a code needs none', async () => {
    const { client } = await startSignIn()
    const send = async (fields: object) =>
      (await client.post('/api/auth/signin/verify', { challenge: 'x', ...fields })).json()
    expect(await send({ method: 'passkey', code: '1' })).toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'credential' }],
    })
    expect(await send({ method: 'totp' })).toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'code' }],
    })
  })

  test('a user with an app and a passkey may use either', async () => {
    const { email, scope } = await newPasskeyUser(db.database)
    const { secret } = await addApp(db.database, scope)
    const client = newClient()
    const { challenge, methods } = await (await client.signIn(email, password)).json()
    expect(methods).toEqual(['totp', 'passkey', 'recovery_code'])
    const fields = { challenge, method: 'totp', code: nextCode(secret), redirect: false }
    expect((await client.post('/api/auth/signin/verify', fields)).status).toBe(200)
  })
})

describe('a confirmation', () => {
  test('replaces the session', async () => {
    const { scope, authenticator, options } = await newPasskeyUser(db.database)
    const credential = authenticator.signIn(await options())
    const { created } = succeeded(await confirmWithPasskey.run(scope, { credential }))
    expect(created.session.authenticatedBy).toBe('passkey')
    const old = eq(sessions.id, scope.session.id)
    expect(await db.database.$count(sessions, old)).toBe(0)
  })

  test('refuses the passkey of another user', async () => {
    const { scope } = await newUser(db.database)
    const { authenticator, options } = await newPasskeyUser(db.database)
    const credential = authenticator.signIn(await options())
    const before = await snapshotDatabase(db.database)
    expect(await confirmWithPasskey.run(scope, { credential })).toMatchObject({ code: 'conflict' })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await lastEvents(1)).toMatchObject([
      { action: 'confirm_with_passkey', outcome: 'failure' },
    ])
  })
})
