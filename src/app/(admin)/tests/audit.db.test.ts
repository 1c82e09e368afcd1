import { newClient } from '@tests/support/client'
import { testDatabase } from '@tests/support/database'
import { signedInAs } from '@tests/support/signed-in-as'
import { idOf } from '@tests/support/stored'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { auditEvents } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'
import { type AuditFilter, type EventCursor, eventCursor, eventCursorText } from '../audit-filter'
import { csvLine } from '../csv'
import { actionNames, listEvents } from '../data/audit'
import { signInsByDay } from '../data/sign-ins'
import { signInDays } from '../schema'

const db = testDatabase()

let admin: SignedInScope
let viewer: string
const leaver = crypto.randomUUID()

beforeAll(async () => {
  await createDemoAccounts(db.database)
  admin = await signedInAs(db.database, 'admin@example.com')
  viewer = await idOf(db.database, 'viewer@example.com')
  const at = (day: number) => new Date(Date.UTC(2025, 4, day, 12))
  const same = { address: '203.0.113.7', requestId: 'r' }
  await db.database.insert(auditEvents).values([
    ...Array.from({ length: 120 }, (_, index) => ({
      ...same,
      at: at(1 + (index % 10)),
      action: index % 3 ? 'sign_in' : 'sign_out',
      outcome: index % 4 ? ('success' as const) : ('failure' as const),
      actorId: index % 2 ? viewer : leaver,
      targetId: viewer,
    })),
    { ...same, at: at(20), action: '=cmd', outcome: 'denied', details: { reason: 'a "role", x' } },
  ])
})

async function all(filter: AuditFilter, limit = 7) {
  const seen = []
  let after: EventCursor | undefined
  do {
    const page = await listEvents(admin, filter, { after, limit })
    seen.push(...page.events)
    after = page.next && eventCursor.parse(eventCursorText(page.next))
  } while (after)
  return seen
}

const day = (number: number) => new Date(Date.UTC(2025, 4, number))

test('every page, newest first, without a gap or a repetition', async () => {
  const seen = await all({})
  expect(seen).toHaveLength(121)
  expect(new Set(seen.map(({ id }) => id)).size).toBe(121)
  const times = seen.map(({ at }) => at.getTime())
  expect(times).toEqual(times.toSorted((a, b) => b - a))
})

test('by what was done, how it ended, who it was, and when', async () => {
  expect(await all({ action: 'sign_out' })).toHaveLength(40)
  expect(await all({ outcome: 'denied' })).toHaveLength(1)
  expect(await all({ person: leaver })).toHaveLength(60)
  // What they did, and what was done to them.
  expect(await all({ person: 'Viewer@Example.com' })).toHaveLength(120)
  expect(await all({ person: 'nobody@example.com' })).toEqual([])
  expect(await all({ from: day(3), to: day(4) })).toHaveLength(24)
  expect(await all({ from: day(11) })).toHaveLength(1)
  const both = await all({ action: 'sign_in', outcome: 'failure', person: viewer, to: day(5) })
  expect(both.every((event) => event.action === 'sign_in' && event.outcome === 'failure')).toBe(
    true,
  )
  expect(both.length).toBeGreaterThan(0)
})

test('people have their names, and whoever left has an id', async () => {
  const [event] = await all({ person: leaver })
  expect(event).toMatchObject({ actorId: leaver, actor: undefined })
  expect(event?.target).toMatchObject({ email: 'viewer@example.com', name: 'Demo Viewer' })
  expect(await actionNames(admin)).toEqual(['=cmd', 'sign_in', 'sign_out'])
})

test('the export is all of what the filter leaves, and runs nothing in a spreadsheet', async () => {
  const client = newClient()
  await client.signIn('admin@example.com')
  const answer = await client.send('/api/admin/audit.csv?to=2025-05-31&outcome=')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/,
  )
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  const lines = (await answer.text()).split('\r\n')
  expect(lines[0]).toContain('"at","action","outcome"')
  expect(lines).toHaveLength(1 + 121 + 1)
  expect(lines[1]).toContain(`"'=cmd","denied"`)
  expect(lines[1]).toContain('"{""reason"":""a \\""role\\"", x""}"')
  const few = await client.send('/api/admin/audit.csv?action=sign_out&person=viewer@example.com')
  expect((await few.text()).split('\r\n')).toHaveLength(1 + 40 + 1)
  expect(await all({ action: 'export_audit' })).toHaveLength(2)
  for (const wrong of ['outcome=maybe', 'from=yesterday', 'to=2025-13-01', 'action=a%20b']) {
    expect((await client.send(`/api/admin/audit.csv?${wrong}`)).status, wrong).toBe(422)
  }
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '|x', '%x'])('cell %j is text', (cell) => {
  expect(csvLine([cell, undefined, 'a"b'])).toBe(`"'${cell}","","a""b"\r\n`)
})

test('a HEAD request reads nothing, and leaving early stops the reading', async () => {
  const client = newClient()
  await client.signIn('admin@example.com')
  const head = await client.send('/api/admin/audit.csv', { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(await head.text()).toBe('')
})

test('days that are over are counted once, today each time', async () => {
  const now = new Date('2025-05-11T12:00:00Z')
  const worked = (days: Awaited<ReturnType<typeof signInsByDay>>) =>
    days.reduce((sum, one) => sum + one.succeeded, 0)
  const first = await signInsByDay(admin, 30, now)
  expect(first).toHaveLength(30)
  expect(first.at(-1)?.day).toBe('2025-05-11')
  expect(worked(first)).toBe(60)
  expect(first.reduce((sum, one) => sum + one.failed, 0)).toBe(20)
  expect(await db.database.$count(signInDays)).toBe(29)
  await db.database.insert(auditEvents).values([
    { at: now, action: 'sign_in', outcome: 'success' },
    // Cannot happen: it shows that this day is not counted again.
    { at: new Date('2025-05-05T12:00:00Z'), action: 'sign_in', outcome: 'success' },
  ])
  expect(worked(await signInsByDay(admin, 30, now))).toBe(61)
  await db.database.execute(sql`delete from sign_in_days where day = '2025-05-05'`)
  expect(worked(await signInsByDay(admin, 30, now))).toBe(62)
})

test('just after midnight the day before is not yet settled', async () => {
  await db.database.delete(signInDays)
  await signInsByDay(admin, 30, new Date('2025-05-11T00:30:00Z'))
  expect(await db.database.$count(signInDays)).toBe(28)
})
