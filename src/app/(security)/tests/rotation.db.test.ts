import { eq } from 'drizzle-orm'
import { authSecrets, env } from 'plinth/config/env'
import { log } from 'plinth/log/log'
import { configure, testDatabase } from 'plinth/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { encryptAgain, findPreparedSecret, verifyCode } from '../data/factors/authenticator-app'
import { currentKeyId, decrypt, encrypt, keyIdOf } from '../data/factors/encryption'
import { codeAt, stepAt } from '../data/factors/totp'
import { checkSecurity } from '../doctor'
import { module } from '../module'
import { authenticatorApps } from '../schema'
import { addApp, newUser } from './users'

configure({})
const db = testDatabase()

const [oldSecret, newSecret, otherSecret] = ['o', 'n', 'x'].map((letter) => letter.repeat(40)) as [
  string,
  string,
  string,
]

/** As after a restart with AUTH_SECRET and AUTH_SECRET_PREVIOUS. */
function setSecrets(...secrets: string[]): void {
  const current = authSecrets() as string[]
  current.splice(0, current.length, ...secrets)
}

const initial = [...authSecrets()]

beforeEach(() => setSecrets(oldSecret))

afterEach(async () => {
  setSecrets(...initial)
  vi.restoreAllMocks()
  await db.database.delete(authenticatorApps)
})

async function userWithApp() {
  const { id, scope } = await newUser(db.database)
  const { secret } = await addApp(db.database, scope)
  const step = stepAt(Date.now())
  return {
    id,
    secret,
    /** Each code works once. The first is that of now, the second that of the next step. */
    use: (nth: 0 | 1) => verifyCode(db.database, id, codeAt(secret, step + nth)),
  }
}

const rowOf = async (userId: string) => {
  const isOwn = eq(authenticatorApps.userId, userId)
  const [row] = await db.database.select().from(authenticatorApps).where(isOwn)
  if (!row) throw new Error('There is no app.')
  return row
}

async function doctor(...secrets: string[]) {
  const facts = { settings: env(), authSecrets: secrets, database: db.database }
  const [, ...findings] = await checkSecurity(facts)
  return findings.map(({ level, message }) => `${level}: ${message}`)
}

const allCurrent = ['ok: All authenticator apps are encrypted with AUTH_SECRET.']

test('a code of before the rotation is accepted, and its use encrypts the secret again', async () => {
  const { id, secret, use } = await userWithApp()
  setSecrets(newSecret, oldSecret)
  expect((await rowOf(id)).keyId).toBe(keyIdOf(oldSecret))
  expect(await use(0)).toBe(true)
  expect((await rowOf(id)).keyId).toBe(keyIdOf(newSecret))
  setSecrets(newSecret)
  expect(decrypt(await rowOf(id), id)).toEqual(secret)
  expect(await use(1)).toBe(true)
})

test('the sweep encrypts again what the previous secret decrypts, in batches', async () => {
  const all = [await userWithApp(), await userWithApp(), await userWithApp()]
  setSecrets(newSecret, oldSecret)
  expect(await doctor(newSecret, oldSecret)).toEqual([
    'warning: 3 authenticator apps are encrypted with AUTH_SECRET_PREVIOUS.',
  ])
  expect(await encryptAgain(2)).toBe(2)
  expect(await doctor(newSecret, oldSecret)).toEqual([
    'warning: One authenticator app is encrypted with AUTH_SECRET_PREVIOUS.',
  ])
  expect(await module.sweep?.(2)).toBe(1)
  expect(await encryptAgain(2)).toBe(0)
  expect(await doctor(newSecret, oldSecret)).toEqual(allCurrent)
  setSecrets(newSecret)
  expect(await doctor(newSecret)).toEqual(allCurrent)
  for (const { use } of all) expect(await use(0)).toBe(true)
})

test('an app that is being set up survives a rotation', async () => {
  const { id } = await newUser(db.database)
  const secret = Buffer.from('a secret of 20 bytes')
  const setup = { userId: id, preparedFor: 'a session' }
  await db.database.insert(authenticatorApps).values({ ...setup, ...encrypt(secret, id) })
  setSecrets(newSecret, oldSecret)
  expect(await encryptAgain(10)).toBe(1)
  setSecrets(newSecret)
  expect(await findPreparedSecret(setup)).toEqual(secret)
})

describe('without the secret of before', () => {
  test('a code is refused and logged, and nothing changes', async () => {
    const { id, use } = await userWithApp()
    const before = await rowOf(id)
    setSecrets(newSecret)
    const error = vi.spyOn(log(), 'error').mockReturnValue()
    expect(await use(0)).toBe(false)
    expect(error.mock.calls).toEqual([
      [{ userId: id }, 'AUTH_SECRET does not decrypt the authenticator app'],
    ])
    expect(await rowOf(id)).toEqual(before)
  })

  test('the doctor counts what cannot be decrypted', async () => {
    await userWithApp()
    expect(await doctor(newSecret)).toEqual([
      expect.stringMatching(/^error: One authenticator app is encrypted with neither AUTH_SECRET/),
    ])
    await userWithApp()
    expect(await doctor(newSecret, otherSecret)).toEqual([
      expect.stringMatching(/^error: 2 authenticator apps are encrypted with neither AUTH_SECRET/),
    ])
    expect(await doctor()).toEqual([])
  })

  test('the sweep skips it, and it does not hold up others', async () => {
    const lost = await userWithApp()
    const before = await rowOf(lost.id)
    setSecrets(otherSecret)
    const kept = await userWithApp()
    setSecrets(newSecret, otherSecret)
    expect(await encryptAgain(1)).toBe(1)
    expect(await encryptAgain(1)).toBe(0)
    expect((await rowOf(kept.id)).keyId).toBe(currentKeyId())
    expect(await rowOf(lost.id)).toEqual(before)
  })

  test('it works again as soon as the secret is back', async () => {
    const { use } = await userWithApp()
    setSecrets(newSecret)
    vi.spyOn(log(), 'error').mockReturnValue()
    expect(await use(0)).toBe(false)
    setSecrets(newSecret, oldSecret)
    expect(await use(0)).toBe(true)
  })
})

test('the secret of a row that was copied to another user is not decrypted', async () => {
  const [one, other] = [await userWithApp(), await userWithApp()]
  const { secret, keyId } = await rowOf(one.id)
  const isOther = eq(authenticatorApps.userId, other.id)
  await db.database.update(authenticatorApps).set({ secret, keyId }).where(isOther)
  const error = vi.spyOn(log(), 'error').mockReturnValue()
  expect(decrypt(await rowOf(one.id), one.id)).toEqual(one.secret)
  expect(decrypt(await rowOf(one.id), other.id)).toBeUndefined()
  const code = codeAt(one.secret, stepAt(Date.now()))
  expect(await verifyCode(db.database, other.id, code)).toBe(false)
  expect(await other.use(0)).toBe(false)
  expect(error).toHaveBeenCalledTimes(2)
  setSecrets(newSecret, oldSecret)
  expect(await encryptAgain(10)).toBe(1)
  expect(await other.use(1)).toBe(false)
})

test('a changed byte is noticed', () => {
  const { secret, keyId } = encrypt(Buffer.from('secret'), 'owner')
  for (let at = 0; at < secret.length; at += 1) {
    const changed = Buffer.from(secret)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(decrypt({ secret: changed, keyId }, 'owner')).toBeUndefined()
  }
})

test('equal secrets are stored as different bytes', () => {
  const [one, other] = [encrypt(Buffer.from('s'), 'a'), encrypt(Buffer.from('s'), 'a')]
  expect(one.secret.equals(other.secret)).toBe(false)
})
