import { randomBytes } from 'node:crypto'
import { Secret, TOTP, URI } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { codeAt, findStep, keyUri, stepAt, toBase32 } from '../../data/factors/totp'

describe("RFC 6238's test vectors", () => {
  const secret = Buffer.from('12345678901234567890')
  test.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('at %i seconds', (seconds, code) => {
    expect(codeAt(secret, stepAt(seconds * 1000), 8)).toBe(code)
  })
})

test('agrees with an independent library', () => {
  for (let round = 0; round < 200; round += 1) {
    const secret = randomBytes(20)
    const timestamp = Math.floor(Math.random() * 4e12)
    const independent = new TOTP({ secret: Secret.fromHex(secret.toString('hex')) })
    expect(codeAt(secret, stepAt(timestamp))).toBe(independent.generate({ timestamp }))
  }
})

test('an independent library reads the key URI', () => {
  const secret = randomBytes(20)
  const uri = keyUri(secret, { issuer: 'My App: Test', account: 'ann+test@example.com' })
  const read = URI.parse(uri) as TOTP
  expect(read).toMatchObject({
    issuer: 'My App Test',
    label: 'ann+test@example.com',
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
  })
  expect(read.secret.base32).toBe(toBase32(secret))
})

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %o, as in RFC 4648', (text, encoded) => {
  expect(toBase32(Buffer.from(text))).toBe(encoded)
})

describe('a typed code', () => {
  const secret = Buffer.from('12345678901234567890')
  const now = 1_700_000_000_000
  const step = stepAt(now)
  const find = (code: string, lastStep = 0) => findStep(secret, code, { now, lastStep })

  test('is accepted with one step of drift, and no more', () => {
    const accepted = [-2, -1, 0, 1, 2].map((drift) => find(codeAt(secret, step + drift)))
    expect(accepted).toEqual([undefined, step - 1, step, step + 1, undefined])
  })

  test('may have a space', () => {
    const code = codeAt(secret, step)
    expect(find(` ${code.slice(0, 3)} ${code.slice(3)} `)).toBe(step)
  })

  test('is not accepted a second time, nor one from before it', () => {
    expect(find(codeAt(secret, step), step)).toBeUndefined()
    expect(find(codeAt(secret, step - 1), step)).toBeUndefined()
    expect(find(codeAt(secret, step + 1), step)).toBe(step + 1)
  })

  test.each(['', '12345', '1234567', 'abcdef', '１２３４５６', '-12345', '1e5'])(
    '%o is wrong',
    (code) => expect(find(code)).toBeUndefined(),
  )
})
