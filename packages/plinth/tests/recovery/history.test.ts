import { expect, test } from 'vitest'
import {
  type Change,
  findTarget,
  judgeChange,
  linkEnds,
  type Method,
  methodsAt,
} from '#recovery/history'

const dayMs = 24 * 60 * 60 * 1000

const newChange = (day: number, given: Partial<Change> = {}): Change => ({
  id: `day ${day}`,
  at: day * dayMs,
  email: 'a@example.com',
  newEmail: 'a@example.com',
  added: [],
  removed: [],
  by: 'user',
  confirmed: false,
  link: 'open',
  deliveredAt: day * dayMs,
  ...given,
})

const endDays = (...changes: Change[]) => [...linkEnds(changes).values()].map((end) => end / dayMs)

test('a link ends seven days after the mail server has accepted it', () => {
  expect(endDays(newChange(0, { deliveredAt: dayMs / 2 }))).toEqual([7.5])
})

test.each([
  ['is not yet delivered', undefined],
  ['was delivered late', 3 * dayMs],
])('the life of a link that %s begins a day after the change', (_, deliveredAt) => {
  expect(endDays(newChange(0, { deliveredAt }))).toEqual([8])
})

test('a later change extends the links before it to its own end', () => {
  expect(endDays(newChange(0), newChange(6))).toEqual([13, 13])
})

test('a change without a link extends the links before it', () => {
  expect(endDays(newChange(0), newChange(6, { link: 'none' }))).toEqual([13])
})

test('a link that has ended is not extended', () => {
  expect(endDays(newChange(0), newChange(7))).toEqual([7, 14])
})

test('a link ends 30 days after its change, however many follow', () => {
  const ends = endDays(...[0, 6, 12, 18, 24, 29].map((day) => newChange(day)))
  expect(ends).toEqual([30, 36, 36, 36, 36, 36])
})

test('a link that a rejected recovery held back lives for seven days after it', () => {
  expect(endDays(newChange(0, { heldUntil: 20 * dayMs }))).toEqual([27])
})

test('the target is the state before the oldest change with a live link', () => {
  const changes = [
    newChange(0, { email: 'dead@example.com' }),
    newChange(10, { email: 'a@example.com', link: 'ended' }),
    newChange(11, { email: 'b@example.com' }),
    newChange(12, { email: 'c@example.com' }),
  ]
  const target = findTarget(changes, 13 * dayMs)
  expect(target).toMatchObject({ email: 'b@example.com', at: 11 * dayMs })
  expect(target?.window.map(({ id }) => id)).toEqual(['day 11', 'day 12'])
})

test('without a live link there is no target', () => {
  expect(findTarget([newChange(0)], 7 * dayMs)).toBeUndefined()
})

const methodOf = (kind: Method['kind'], id = '1'): Method => ({ kind, id })

test('the methods at the target are the current ones without additions and with removals', () => {
  const window = [
    newChange(0, { added: [methodOf('passkey')], removed: [methodOf('app')] }),
    newChange(1, { added: [methodOf('password', '2')], removed: [methodOf('password')] }),
    newChange(2, { added: [methodOf('password', '3')], removed: [methodOf('password', '2')] }),
  ]
  const current = [methodOf('passkey'), methodOf('password', '3'), methodOf('provider')]
  const found = methodsAt({ at: 0, email: '', window }, current)
  expect(new Set(found)).toEqual(
    new Set([methodOf('provider'), methodOf('app'), methodOf('password')]),
  )
})

test('a factor that an admin has removed is not there at the target', () => {
  const window = [newChange(0, { by: 'admin', removed: [methodOf('app')] })]
  expect(methodsAt({ at: 0, email: '', window }, [])).toEqual([])
})

const judge = (changes: Change[], given: Partial<Parameters<typeof judgeChange>[1]> = {}) =>
  judgeChange(changes, {
    at: 3 * dayMs,
    email: 'b@example.com',
    newEmail: 'b@example.com',
    by: 'user',
    confirmedBy: undefined,
    ...given,
  })

const stolen = newChange(0, { newEmail: 'b@example.com' })

test('the notice of a change has a link', () => {
  expect(judge([])).toEqual({ confirmed: false, link: 'open' })
})

test('a change by an admin has none', () => {
  expect(judge([], { by: 'admin' })).toEqual({ confirmed: false, link: 'none' })
})

test('the email that is left for one with a live link gets none', () => {
  expect(judge([stolen], { newEmail: 'a@example.com' }).link).toBe('none')
  expect(judge([stolen], { newEmail: 'c@example.com' }).link).toBe('open')
  expect(judge([stolen], { newEmail: 'a@example.com', at: 8 * dayMs }).link).toBe('open')
})

test('a factor confirms a change only if it is older than the target', () => {
  const added = newChange(1, { added: [methodOf('app')] })
  const confirm = (changes: Change[], at = 3 * dayMs) =>
    judge(changes, { at, confirmedBy: methodOf('app') })
  expect(confirm([stolen])).toEqual({ confirmed: true, link: 'none' })
  expect(confirm([stolen, added])).toEqual({ confirmed: false, link: 'open' })
  expect(confirm([stolen, added], 20 * dayMs)).toEqual({ confirmed: true, link: 'none' })
})
