import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Connection } from '#db/client'
import { migrate } from '#db/migrate/migrate'
import { findPending } from '#db/migrate/plan'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { type MigrationFixtures, migrationFixtures } from '../../support/migration-fixtures'

let fresh: FreshDatabase
let connection: Connection
let fixtures: MigrationFixtures

beforeAll(async () => {
  fresh = await freshDatabase()
  connection = await openFresh(fresh)
})

beforeEach(async () => {
  fixtures = migrationFixtures()
  await query(`create table numbers (n int primary key, square int);
    insert into numbers select n from generate_series(1, 250) n`)
})

afterEach(async () => {
  fixtures.remove()
  await query(`drop table numbers; delete from plinth_migrations where owner = 'fixtures';
    update plinth_migration_lease set expires_at = '-infinity'`)
})

afterAll(async () => {
  await connection.close()
  await fresh.remove()
})

const query = (statement: string) => connection.transact((execute) => execute(statement))

const run = () => migrate(connection, fixtures.modules, { root: fixtures.root })

const backfill = `-- rolling: safe
-- transaction: batch
update numbers set square = n * n
  where n in (select n from numbers where square is null order by n limit $1);
`

const index = `-- rolling: safe
-- transaction: none
-- For lookups.
create index concurrently if not exists numbers_square_index on numbers (square);
`

test('builds an index concurrently', async () => {
  fixtures.add({ '0001_index.sql': index })
  expect(await run()).toEqual(['fixtures/0001_index'])
  expect(
    await query(
      `select indisvalid from pg_index where indexrelid = 'numbers_square_index'::regclass`,
    ),
  ).toEqual([{ indisvalid: true }])
  expect(await run()).toEqual([])
})

test('repeats a backfill until it changes no row, each batch in its own transaction', async () => {
  await query(`create table batches (xid xid8);
    create function note_batch() returns trigger language plpgsql as
      'begin insert into batches values (pg_current_xact_id()); return null; end';
    create trigger note after update on numbers for each row execute function note_batch()`)
  fixtures.add({ '0001_backfill.sql': backfill })
  expect(await run()).toEqual(['fixtures/0001_backfill'])
  expect(await query('select count(*)::int as missing from numbers where square is null')).toEqual([
    { missing: 0 },
  ])
  const batches = await query('select count(*)::int as rows from batches group by xid order by xid')
  expect(batches[0]).toEqual({ rows: 100 })
  expect(batches.reduce((sum, { rows }) => sum + Number(rows), 0)).toBe(250)
})

test('continues an interrupted backfill with the rows that are left', async () => {
  await query('alter table numbers add constraint small check (square <= 10000)')
  fixtures.add({ '0001_backfill.sql': backfill })
  await expect(run()).rejects.toThrow(
    /^Migration fixtures\/0001_backfill failed: .*"small". Correct the migration. Earlier batches are kept. The next run continues with it.$/,
  )
  expect(await query('select count(square)::int as done from numbers')).toEqual([{ done: 100 }])
  await query(
    'alter table numbers drop constraint small; update numbers set square = 0 where n = 1',
  )
  expect(await run()).toEqual(['fixtures/0001_backfill'])
  expect(await query('select n from numbers where square is distinct from n * n')).toEqual([
    { n: 1 },
  ])
})

test.each(['none', 'batch'])('refuses two statements with transaction: %s', async (transaction) => {
  fixtures.add({
    '0001_two.sql': `-- rolling: safe\n-- transaction: ${transaction}\ndelete from numbers; drop table numbers;`,
  })
  await expect(run()).rejects.toThrow(
    'Migration fixtures/0001_two failed: cannot insert multiple commands into a prepared statement.',
  )
  expect(await query('select count(*)::int as count from numbers')).toEqual([{ count: 250 }])
  expect((await findPending(connection, fixtures.modules, fixtures)).pending).toHaveLength(1)
})

test('waits for the lease of another process, and takes it over when it has expired', async () => {
  const [row] = await query(
    `update plinth_migration_lease
     set holder = gen_random_uuid(), expires_at = clock_timestamp() + interval '1 second'
     returning expires_at::text as expiry`,
  )
  fixtures.add({ '0001_late.sql': 'create table late as select clock_timestamp() as at;' })
  expect(await run()).toEqual(['fixtures/0001_late'])
  expect(await query(`select at > '${row?.expiry}' as later from late`)).toEqual([{ later: true }])
})

test('applies nothing more after another process has taken over the lease', async () => {
  fixtures.add({
    '0001_lose.sql': 'update plinth_migration_lease set holder = gen_random_uuid();',
    '0002_next.sql': 'create table next (id int);',
  })
  await expect(run()).rejects.toThrow('Another process has taken over the migrations')
  expect(await query(`select to_regclass('next') as next`)).toEqual([{ next: null }])
})

test('creates the lease in a database of an earlier version', async () => {
  await query('drop table plinth_migration_lease')
  fixtures.add({ '0001_index.sql': index })
  expect(await run()).toEqual(['fixtures/0001_index'])
})
