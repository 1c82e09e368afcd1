import { asc, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { maintainAuditEvents } from '#audit/retention'
import { type Connection, closeConnection, rowsOf, setConnection } from '#db/client'
import { sqlState } from '#db/errors'
import { auditEvents } from '#db/schema'
import { enableMetrics, readMetrics } from '#metrics/metrics'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'

let fresh: FreshDatabase
let connection: Connection

beforeEach(async () => {
  fresh = await freshDatabase()
  connection = await openFresh(fresh)
  setConnection(connection)
})

afterEach(async () => {
  await closeConnection()
  await fresh.remove()
})

async function execute<Row>(statement: string): Promise<readonly Row[]> {
  return rowsOf(await connection.database.execute(sql.raw(statement)))
}

const stateOf = (statement: string) =>
  execute(statement).then(
    () => undefined,
    (error: unknown) => sqlState(error),
  )

async function partitions(): Promise<string[]> {
  const rows = await execute<{ name: string }>('select name from audit_partitions order by name')
  return rows.map(({ name }) => name)
}

/** `audit_events_2026_11` for the month that is `ahead` of the current one. */
function partitionOf(ahead: number): string {
  const now = new Date()
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead))
  return `audit_events_${month.toISOString().slice(0, 7).replace('-', '_')}`
}

const addEvent = (action: string, at = 'now()') =>
  execute(`insert into audit_events (action, outcome, at) values ('${action}', 'success', ${at})`)

async function partitionsOf(action: string): Promise<string[]> {
  const rows = await execute<{ name: string }>(
    `select tableoid::regclass::text as name from audit_events where action = '${action}'`,
  )
  return rows.map(({ name }) => name)
}

/** As after some months: the first partition is replaced by one for each of them. */
async function createOldPartitions(): Promise<void> {
  await execute('alter table audit_events detach partition audit_events_before')
  await execute('drop table audit_events_before')
  await execute(`do $$
    declare
      month timestamptz := date_trunc('month', now() at time zone 'UTC') at time zone 'UTC';
      name text;
    begin
      for ago in 0..5 loop
        name := 'audit_events_' || to_char((month at time zone 'UTC') - ago * interval '1 month', 'YYYY_MM');
        execute format('create table %I (like audit_events including defaults including constraints)', name);
        perform attach_audit_partition(name::regclass, format('for values from (%L) to (%L)',
          ((month at time zone 'UTC') - ago * interval '1 month') at time zone 'UTC',
          ((month at time zone 'UTC') - (ago - 1) * interval '1 month') at time zone 'UTC'));
      end loop;
    end
  $$`)
}

test('two months are made ahead, with a default partition for all others', async () => {
  const expected = ['audit_events_before', 'audit_events_default', partitionOf(1), partitionOf(2)]
  expect(await partitions()).toEqual(expected.sort())
  expect(await maintainAuditEvents(undefined)).toEqual({ added: [], dropped: [] })
})

test('every partition is append-only, also one that is added later', async () => {
  await execute('select add_audit_partition()')
  for (const table of ['audit_events', ...(await partitions())]) {
    const statements = [
      `update ${table} set action = 'x'`,
      `delete from ${table}`,
      `truncate ${table}`,
    ]
    for (const statement of statements) {
      expect([statement, await stateOf(statement)]).toEqual([statement, 'PL002'])
    }
  }
})

test('a row of a partition cannot be changed by its own name either', async () => {
  await addEvent('sign_in')
  await execute('drop trigger audit_events_append_only on audit_events_before')
  expect(await stateOf('delete from audit_events_before')).toBe('PL002')
  expect(await stateOf(`update audit_events_before set action = 'x'`)).toBe('PL002')
})

test('events after the last partition wait in the default one and are moved when it is added', async () => {
  await addEvent('soon', `now() + interval '100 days'`)
  await addEvent('later', `now() + interval '200 days'`)
  await addEvent('never', `'infinity'`)
  expect(await partitionsOf('soon')).toEqual(['audit_events_default'])
  const before = await connection.database.select().from(auditEvents).orderBy(asc(auditEvents.id))
  for (let month = 3; month <= 7; month += 1) {
    const [row] = await execute<{ name: string }>('select add_audit_partition() as name')
    expect(row?.name).toBe(partitionOf(month))
  }
  expect(await partitionsOf('soon')).not.toEqual(['audit_events_default'])
  expect(await partitionsOf('later')).not.toEqual(['audit_events_default'])
  expect(await partitionsOf('never')).toEqual(['audit_events_default'])
  const after = await connection.database.select().from(auditEvents).orderBy(asc(auditEvents.id))
  expect(after).toEqual(before)
  expect(await stateOf('truncate audit_events_default')).toBe('PL002')
})

test('retention drops whole months that are older, says so in the log, and keeps the rest', async () => {
  await createOldPartitions()
  for (const days of [0, 40, 70, 130, 150]) {
    await addEvent(`ago_${days}`, `now() - interval '${days} days'`)
  }
  enableMetrics()
  const { dropped } = await maintainAuditEvents(62)
  expect(readMetrics().counters.plinth_audit_partitions_dropped_total).toBe(dropped.length)
  // An event from 62 days ago may be in the third month before this one.
  expect(dropped).toContain(partitionOf(-5))
  expect(dropped).toContain(partitionOf(-4))
  expect(dropped).not.toContain(partitionOf(-2))
  const actions = (await connection.database.select().from(auditEvents)).map(({ action }) => action)
  expect(actions).toEqual(expect.arrayContaining(['ago_0', 'ago_40']))
  expect(actions).not.toContain('ago_150')
  expect(actions).not.toContain('ago_130')
  const [event] = await execute<{ details: { partitions: string } }>(
    `select details from audit_events where action = 'delete_old_audit_events'`,
  )
  expect(event?.details).toEqual({ partitions: dropped.join(', ') })
  expect(await maintainAuditEvents(62)).toEqual({ added: [], dropped: [] })
})

test('without a retention nothing is dropped, and less than 30 days are refused', async () => {
  await createOldPartitions()
  await addEvent('old', `now() - interval '150 days'`)
  expect(await maintainAuditEvents(undefined)).toEqual({ added: [], dropped: [] })
  const error = await maintainAuditEvents(29).catch((error: unknown) => error)
  expect(sqlState(error)).toBe('PL003')
  expect(await partitionsOf('old')).toHaveLength(1)
})
