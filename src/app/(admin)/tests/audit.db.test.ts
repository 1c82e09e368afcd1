import { desc, eq, sql } from 'drizzle-orm'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import type { Cursor } from 'plinth/db/list'
import { auditEvents } from 'plinth/db/schema'
import { newClient, testDatabase, userIdOf } from 'plinth/testing'
import { beforeAll, expect, test } from 'vitest'
import { type AuditFilter, encodeEventCursor, eventCursorField } from '../audit/audit-filter'
import { csvLine } from '../csv'
import { actionNames, listEvents } from '../data/audit'
import { signInsByDay } from '../data/sign-ins'
import { signInDays } from '../schema'

const db = testDatabase()

let viewer: string
const deletedUser = crypto.randomUUID()

beforeAll(async () => {
  await createDemoAccounts(db.database)
  viewer = await userIdOf(db.database, 'viewer@example.com')
  const at = (day: number) => new Date(Date.UTC(2025, 4, day, 12))
  const same = { ip: '203.0.113.7', requestId: 'r' }
  await db.database.insert(auditEvents).values([
    ...Array.from({ length: 120 }, (_, index) => ({
      ...same,
      at: at(1 + (index % 10)),
      action: index % 3 ? 'sign_in' : 'sign_out',
      outcome: index % 4 ? ('success' as const) : ('failure' as const),
      actorId: index % 2 ? viewer : deletedUser,
      targetId: viewer,
    })),
    { ...same, at: at(20), action: '=cmd', outcome: 'denied', details: { reason: 'a "role", x' } },
  ])
})

async function all(filter: AuditFilter, limit = 7) {
  const seen = []
  let cursor: Cursor | undefined
  do {
    const page = await listEvents(filter, { cursor, limit })
    seen.push(...page.events)
    cursor = page.next && eventCursorField.parse(encodeEventCursor(page.next))
  } while (cursor)
  return seen
}

const day = (number: number) => `2025-05-${String(number).padStart(2, '0')}`

test('pages through all events, newest first, without gaps or repetitions', async () => {
  const seen = await all({})
  expect(seen).toHaveLength(121)
  expect(new Set(seen.map(({ id }) => id)).size).toBe(121)
  const times = seen.map(({ at }) => at.getTime())
  expect(times).toEqual(times.toSorted((a, b) => b - a))
})

test('filters by action, outcome, user and date', async () => {
  expect(await all({ action: 'sign_out' })).toHaveLength(40)
  expect(await all({ outcome: 'denied' })).toHaveLength(1)
  expect(await all({ user: deletedUser })).toHaveLength(60)
  // Events by and about the user.
  expect(await all({ user: 'Viewer@Example.com' })).toHaveLength(120)
  expect(await all({ user: 'unknown@example.com' })).toEqual([])
  expect(await all({ from: day(3), to: day(4) })).toHaveLength(24)
  expect(await all({ from: day(11) })).toHaveLength(1)
  // At noon in UTC it is the next day in Kiritimati.
  expect(await all({ to: day(1), timeZone: 'Pacific/Kiritimati' })).toHaveLength(0)
  expect(await all({ from: day(2), to: day(2), timeZone: 'Pacific/Kiritimati' })).toHaveLength(12)
  const combined = await all({ action: 'sign_in', outcome: 'failure', user: viewer, to: day(5) })
  expect(combined.every((event) => event.action === 'sign_in' && event.outcome === 'failure')).toBe(
    true,
  )
  expect(combined.length).toBeGreaterThan(0)
})

test('finds the users that the field suggests, by part of the name or email', async () => {
  for (const user of ['demo view', 'Demo Viewer', 'viewer@exam', ` ${viewer} `.trim()]) {
    expect(await all({ user }), user).toHaveLength(120)
  }
  // Several users: the events of each, once.
  expect(await all({ user: 'demo' })).toHaveLength(120)
  expect(await all({ user: 'no such user' })).toEqual([])
})

test('shows names of users and the id of a deleted one', async () => {
  const [event] = await all({ user: deletedUser })
  expect(event).toMatchObject({ actorId: deletedUser, actor: undefined })
  expect(event?.target).toMatchObject({ email: 'viewer@example.com', name: 'Demo Viewer' })
  expect(await actionNames()).toEqual(['=cmd', 'sign_in', 'sign_out'])
})

test('exports all matching events and escapes spreadsheet formulas', async () => {
  const client = newClient()
  await client.signIn('admin@example.com')
  const response = await client.send('/api/admin/audit.csv?to=2025-05-31&outcome=')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/,
  )
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  const lines = (await response.text()).split('\r\n')
  expect(lines[0]).toContain('"at","action","outcome"')
  expect(lines).toHaveLength(1 + 121 + 1)
  expect(lines[1]).toContain(`"'=cmd","denied"`)
  expect(lines[1]).toContain('"{""reason"": ""a \\""role\\"", x""}"')
  const filtered = await client.send('/api/admin/audit.csv?action=sign_out&user=viewer@example.com')
  expect((await filtered.text()).split('\r\n')).toHaveLength(1 + 40 + 1)
  expect(await all({ action: 'export_audit_log' })).toHaveLength(2)
  for (const invalid of ['outcome=maybe', 'from=yesterday', 'to=2025-13-01', 'action=a%20b']) {
    expect((await client.send(`/api/admin/audit.csv?${invalid}`)).status, invalid).toBe(422)
  }
})

test('exports more than two batches in order, each event once', async () => {
  // Every fourth event has the same time, so that both borders are between equal times.
  await db.database.execute(sql`
    insert into audit_events (id, at, action, outcome, request_id)
    select id, timestamptz '2025-04-01' + number % 4 * interval '1 second', 'paged', 'success', id
    from (
      select nextval('audit_events_id_seq') as id, number from generate_series(1, 12000) as number
    ) as event`)
  const client = newClient()
  await client.signIn('admin@example.com')
  const response = await client.send('/api/admin/audit.csv?action=paged')
  const [, ...lines] = (await response.text()).trimEnd().split('\r\n')
  const stored = await db.database
    .select({ id: auditEvents.id })
    .from(auditEvents)
    .where(eq(auditEvents.action, 'paged'))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
  expect(stored).toHaveLength(12_000)
  expect(lines.map((line) => Number(line.split('","')[8]))).toEqual(stored.map(({ id }) => id))
})

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '|x',
  '%x',
  '＝1',
  '＋1',
  '－1',
  '＠S',
  '｜x',
  '％x',
])('escapes the cell %j', (cell) => {
  expect(csvLine([cell, undefined, 'a"b'])).toBe(`"'${cell}","","a""b"\r\n`)
})

test('responds to HEAD without a body', async () => {
  const client = newClient()
  await client.signIn('admin@example.com')
  const head = await client.send('/api/admin/audit.csv', { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(await head.text()).toBe('')
})

test('counts past days once and the current day each time', async () => {
  const now = new Date('2025-05-11T12:00:00Z')
  const succeeded = (days: Awaited<ReturnType<typeof signInsByDay>>) =>
    days.reduce((sum, day) => sum + day.succeeded, 0)
  const first = await signInsByDay(30, now)
  expect(first).toHaveLength(30)
  expect(first.at(-1)?.day).toBe('2025-05-11')
  expect(succeeded(first)).toBe(60)
  expect(first.reduce((sum, day) => sum + day.failed, 0)).toBe(20)
  expect(await db.database.$count(signInDays)).toBe(29)
  await db.database.insert(auditEvents).values([
    { at: now, action: 'sign_in', outcome: 'success' },
    // Cannot happen in practice. Shows that this day is not counted again.
    { at: new Date('2025-05-05T12:00:00Z'), action: 'sign_in', outcome: 'success' },
  ])
  expect(succeeded(await signInsByDay(30, now))).toBe(61)
  await db.database.execute(sql`delete from sign_in_days where day = '2025-05-05'`)
  expect(succeeded(await signInsByDay(30, now))).toBe(62)
})

test('does not store the previous day just after midnight', async () => {
  await db.database.delete(signInDays)
  await signInsByDay(30, new Date('2025-05-11T00:30:00Z'))
  expect(await db.database.$count(signInDays)).toBe(28)
})

test('lists at most 500 names of actions', async () => {
  const names = Array.from({ length: 510 }, (_, index) => `action_${1000 + index}`)
  const events = names.map((action) => ({ action, outcome: 'success' as const }))
  await db.database.insert(auditEvents).values(events)
  const listed = await actionNames()
  expect(listed).toHaveLength(500)
  expect(listed.slice(0, 3)).toEqual(['=cmd', 'action_1000', 'action_1001'])
})
