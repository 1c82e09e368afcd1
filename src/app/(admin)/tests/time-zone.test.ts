import { newScope } from 'plinth/testing'
import { expect, test } from 'vitest'
import { auditFilter } from '../audit/audit-filter'
import { dayAfter, startOfDay, timeZoneOf } from '../time-zone'

test.each([
  ['2026-01-15', 'UTC', '2026-01-15T00:00:00.000Z'],
  ['2026-01-15', 'Europe/Berlin', '2026-01-14T23:00:00.000Z'],
  ['2026-07-15', 'Europe/Berlin', '2026-07-14T22:00:00.000Z'],
  // Summer time starts and ends on these days.
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
  ['2026-01-15', 'Asia/Kathmandu', '2026-01-14T18:15:00.000Z'],
  ['2026-01-15', 'America/Los_Angeles', '2026-01-15T08:00:00.000Z'],
  ['2026-01-15', 'Pacific/Kiritimati', '2026-01-14T10:00:00.000Z'],
])('%s in %s starts at %s', (day, timeZone, start) => {
  expect(startOfDay(day, timeZone).toISOString()).toBe(start)
})

test('the day after is the next date', () => {
  expect(dayAfter('2026-02-28')).toBe('2026-03-01')
  expect(dayAfter('2026-12-31')).toBe('2027-01-01')
})

test('the URL has priority over the saved zone', () => {
  const scope = newScope()
  expect(timeZoneOf(scope, {})).toBeUndefined()
  expect(timeZoneOf(scope, { timeZone: 'Asia/Tokyo' })).toBe('Asia/Tokyo')
})

test.each([
  { timeZone: 'Mars/Base' },
  { timeZone: 'x'.repeat(65) },
  { from: '0000-01-01' },
  { to: '1899-12-31' },
])('rejects %o', (filter) => {
  expect(auditFilter.safeParse(filter).success).toBe(false)
})
