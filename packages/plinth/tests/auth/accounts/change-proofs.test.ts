import { expect, test } from 'vitest'
import { isProven, type Means, type Proof, type ProofKind } from '#auth/accounts/change-proofs'
import { proofKinds } from '#db/schema'

const app = { kind: 'app', methodId: 'first-app' } as const
const passkey = { kind: 'passkey', methodId: 'laptop' } as const

/** A proof of each kind that fits the accounts below. */
const own: Record<ProofKind, Proof> = {
  password: { kind: 'password' },
  provider: { kind: 'provider', methodId: 'github' },
  mail_code: { kind: 'mail_code' },
  app,
  passkey,
  recovery_code: { kind: 'recovery_code' },
}

const factors = [app, passkey]
const none = { password: false, providers: [], factors: [] }

type Case = [account: string, means: Means, enough: ProofKind[][]]

/** The smallest sets that prove a change. */
const cases: Case[] = [
  ['a password', { ...none, password: true }, [['password']]],
  ['a provider', { ...none, providers: ['github'] }, [['provider', 'mail_code']]],
  ['neither', none, [['mail_code']]],
  ['a password and a provider', { ...none, password: true, providers: ['github'] }, [['password']]],
  [
    'a password and factors',
    { password: true, providers: ['github'], factors },
    [['app'], ['passkey'], ['recovery_code', 'password']],
  ],
  [
    'a provider and factors',
    { password: false, providers: ['github'], factors },
    [['app'], ['passkey'], ['recovery_code', 'provider', 'mail_code']],
  ],
  ['factors alone', { ...none, factors }, [['app'], ['passkey'], ['recovery_code', 'mail_code']]],
]

const everySet = Array.from({ length: 2 ** proofKinds.length }, (_, bits) =>
  proofKinds.filter((_, index) => bits & (1 << index)),
)

test.each(cases)('an account with %s needs one of its sets, and no other is enough', (...given) => {
  const [, means, enough] = given
  for (const kinds of everySet) {
    const expected = enough.some((needed) => needed.every((kind) => kinds.includes(kind)))
    const proofs = kinds.map((kind) => own[kind])
    expect(isProven(means, proofs), kinds.join()).toBe(expected)
  }
})

test('a factor, a provider or a password that the account no longer has proves nothing', () => {
  const means = { password: true, providers: [], factors: [app] }
  expect(isProven(means, [passkey])).toBe(false)
  expect(isProven(means, [{ ...app, methodId: 'earlier-app' }])).toBe(false)
  expect(isProven({ ...none, providers: ['google'] }, [own.provider, own.mail_code])).toBe(false)
  expect(isProven(none, [own.password])).toBe(false)
})

test('a recovery code that has proved a recovery needs no first proof', () => {
  const means = { password: true, providers: [], factors: [app] }
  const proof = { kind: 'recovery_code', methodId: 'recovery' } as const
  expect(isProven(means, [proof])).toBe(true)
  expect(isProven({ ...means, factors: [] }, [proof])).toBe(false)
})
