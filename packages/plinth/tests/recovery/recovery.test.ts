import { expect, test } from 'vitest'
import type { Change, Method } from '#recovery/history'
import {
  hasProvedFactor,
  openRecovery,
  planCompletion,
  type Recovery,
  targetOf,
} from '#recovery/recovery'

const hourMs = 60 * 60 * 1000

const password: Method = { kind: 'password', id: '1' }
const app: Method = { kind: 'app', id: '1' }
const codes: Method = { kind: 'codes', id: '1' }
const added: Method = { kind: 'passkey', id: 'added' }

/** `old` was left for `new`, then a passkey was added. */
const changes: Change[] = [
  newChange(0, { email: 'old', newEmail: 'new' }),
  newChange(1, { email: 'new', newEmail: 'new', added: [added] }),
]

function newChange(at: number, given: Partial<Change>): Change {
  const facts = { id: `${at}`, at, removed: [], by: 'user' as const, deliveredAt: at }
  return { ...facts, email: '', newEmail: '', added: [], confirmed: false, link: 'open', ...given }
}

type Given = { email?: string; proofs?: Method[]; hasLeftEmail?: boolean; now?: number }

function tryToOpen(given: Given = {}, recovery?: Recovery) {
  const { email = 'old', proofs = [], hasLeftEmail = false, now = hourMs } = given
  const account = { changes, methods: [password, app, codes, added], recovery }
  return openRecovery(account, { email, proofs, hasLeftEmail, now })
}

const complete = (strength: string) => expect.objectContaining({ result: 'complete', strength })
const frozen = (state: string) =>
  expect.objectContaining({ result: 'frozen', recovery: expect.objectContaining({ state }) })

test.each([
  ['old', 'an app', [app], complete('strong')],
  ['old', 'a password and a recovery code', [password, codes], complete('strong')],
  ['old', 'a password', [password], complete('weak')],
  ['old', 'a recovery code', [codes], complete('weak')],
  ['old', 'nothing', [], frozen('waiting')],
  ['old', 'a passkey that was added since', [added], frozen('waiting')],
  ['new', 'an app', [app], complete('strong')],
  ['new', 'a password and a recovery code', [password, codes], frozen('admin')],
  ['new', 'a password', [password], frozen('admin')],
  ['new', 'nothing', [], frozen('admin')],
])('the link to the %s email with %s', (email, _, proofs, expected) => {
  expect(tryToOpen({ email, proofs })).toEqual(expected)
})

test('a link that was sent elsewhere, or has ended, opens nothing', () => {
  expect(tryToOpen({ email: 'another' })).toEqual({ result: 'invalid' })
  expect(tryToOpen({ now: 8 * 24 * hourMs })).toEqual({ result: 'invalid' })
})

test('an owner who no longer reads the old email needs a strong proof or an admin', () => {
  expect(tryToOpen({ hasLeftEmail: true, proofs: [password] })).toEqual(frozen('admin'))
  expect(tryToOpen({ hasLeftEmail: true, proofs: [app] })).toEqual(complete('strong'))
})

function waiting(given: Partial<Recovery> = {}): Recovery {
  const opened = { openedAt: hourMs, openedBy: ['old'], readyAt: 73 * hourMs }
  return { ...opened, state: 'waiting', ...given }
}

test('without proof it can be completed after 72 hours, also when the link has ended', () => {
  expect(tryToOpen({ now: 72 * hourMs }, waiting())).toEqual(frozen('waiting'))
  expect(tryToOpen({ now: 73 * hourMs }, waiting())).toEqual(complete('none'))
  expect(tryToOpen({ now: 20 * 24 * hourMs }, waiting())).toEqual(complete('none'))
})

test('a proof that is given later ends the wait', () => {
  expect(tryToOpen({ proofs: [password], now: 2 * hourMs }, waiting())).toEqual(complete('weak'))
})

test('another email that does not agree leaves the decision to an admin', () => {
  const objected = tryToOpen({ email: 'new', proofs: [password] }, waiting())
  expect(objected).toEqual(frozen('admin'))
  const { recovery } = objected as { recovery: Recovery }
  expect(recovery.openedBy).toEqual(['old', 'new'])
  expect(tryToOpen({ now: 100 * hourMs }, recovery)).toEqual(frozen('admin'))
})

test('another email with a strong proof completes it', () => {
  expect(tryToOpen({ email: 'new', proofs: [app] }, waiting())).toEqual(complete('strong'))
})

test('an admin allows one email to complete it, and no other', () => {
  const allowed = waiting({ state: 'allowed', openedBy: ['new'] })
  expect(tryToOpen({ email: 'new' }, allowed)).toEqual(complete('strong'))
  expect(tryToOpen({ email: 'old' }, allowed)).toMatchObject({
    result: 'frozen',
    recovery: allowed,
  })
  expect(tryToOpen({ email: 'old', proofs: [app] }, allowed)).toEqual(complete('strong'))
})

function plan(given: Partial<Parameters<typeof planCompletion>[2]> = {}, methods = current) {
  const target = targetOf({ changes, recovery: undefined }, hourMs)
  if (!target) throw new Error('There is no target.')
  const choices = { strength: 'weak' as const, proofs: [], email: undefined, kept: [] }
  return planCompletion(target, methods, { ...choices, ...given })
}

const current = [password, app, codes, added]

test('completion removes additions, passwords and recovery codes', () => {
  expect(plan()).toEqual({
    email: 'old',
    removed: [password, codes, added],
    restored: [],
    needsPassword: true,
    needsCodes: false,
  })
})

test('completion with strong proof keeps chosen additions and a chosen email', () => {
  const chosen = { kept: [added, password, codes], email: 'new' }
  expect(plan({ ...chosen, strength: 'strong' })).toMatchObject({
    email: 'new',
    removed: [password, codes],
  })
  expect(plan(chosen)).toMatchObject({ email: 'old', removed: [password, codes, added] })
  expect(plan({ strength: 'strong', email: 'another' }).email).toBe('old')
})

test('a user who proved with a recovery code gets new ones', () => {
  expect(plan({ proofs: [codes] }).needsCodes).toBe(true)
})

test('an account that had no password keeps one that its owner has added', () => {
  const window = [newChange(0, { added: [password] })]
  const keep = (strength: 'strong' | 'weak') =>
    planCompletion({ at: 0, email: '', window }, [password], {
      strength,
      proofs: [],
      email: undefined,
      kept: [password],
    })
  expect(keep('strong')).toMatchObject({ removed: [], needsPassword: false })
  expect(keep('weak')).toMatchObject({ removed: [password], needsPassword: false })
})

test.each([
  ['app', true],
  ['passkey', true],
  ['codes', true],
  ['password', false],
  ['provider', false],
] as const)('the proof %s of the target spares the second factor: %s', (kind, expected) => {
  const method = { kind, id: '1' }
  expect(hasProvedFactor([method], [method])).toBe(expected)
  expect(hasProvedFactor([method], [{ kind, id: 'added' }])).toBe(false)
  expect(hasProvedFactor([method], [])).toBe(false)
})
