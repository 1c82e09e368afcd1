import { beforeEach, expect, test } from 'vitest'
import { authSecrets } from '#config/env'
import { knownDevice, rememberAccount } from '#rate-limits/known-devices'

const ann = 'ann@example.com'
const bob = 'bob@example.com'

const secrets: string[] = []
authSecrets.set(secrets)

beforeEach(() => {
  secrets.splice(0, secrets.length, 'first secret')
})

test('knows the accounts that signed in, by one id, without their emails', () => {
  const first = rememberAccount(undefined, ann)
  const both = rememberAccount(first, bob)
  expect(knownDevice(first, ann)).toMatch(/^[\w-]{22}$/)
  expect(knownDevice(first, bob)).toBeUndefined()
  expect(knownDevice(both, ann)).toBe(knownDevice(first, ann))
  expect(knownDevice(both, bob)).toBe(knownDevice(first, ann))
  expect(Buffer.from(both, 'base64url').toString()).not.toMatch(/ann|bob|example/)
  expect(rememberAccount(undefined, ann)).not.toBe(first)
})

test('remembers the last five accounts, each once', () => {
  let cookie = rememberAccount(undefined, ann)
  for (const account of ['b', 'c', 'd', 'e', 'e']) cookie = rememberAccount(cookie, account)
  expect(knownDevice(cookie, ann)).toBeDefined()
  cookie = rememberAccount(cookie, 'f')
  expect(knownDevice(cookie, ann)).toBeUndefined()
  expect(knownDevice(cookie, 'b')).toBeDefined()
  expect(cookie.split('.')).toHaveLength(6)
})

test('trusts nothing that another secret signed or that was put together', () => {
  const annsDevice = rememberAccount(undefined, ann)
  const bobsDevice = rememberAccount(undefined, bob)
  const [id] = bobsDevice.split('.')
  const [, signature] = annsDevice.split('.')
  const forged = [`${id}.${signature}`, `${annsDevice}x`, '', 'x'.repeat(5000), `${id}.`]
  for (const cookie of forged) {
    expect(knownDevice(cookie, ann)).toBeUndefined()
    expect(knownDevice(rememberAccount(cookie, bob), ann)).toBeUndefined()
  }
  secrets[0] = 'another secret'
  expect(knownDevice(annsDevice, ann)).toBeUndefined()
})

test('stays known while the secret is rotated', () => {
  const before = rememberAccount(undefined, ann)
  secrets.splice(0, 1, 'second secret', 'first secret')
  expect(knownDevice(before, ann)).toBeDefined()
  const after = rememberAccount(before, ann)
  expect(after.split('.')).toHaveLength(2)
  secrets.pop()
  expect(knownDevice(before, ann)).toBeUndefined()
  expect(knownDevice(after, ann)).toBe(after.split('.')[0])
})
