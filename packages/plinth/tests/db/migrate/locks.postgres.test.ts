import postgres, { type Sql } from 'postgres'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Connection } from '#db/client'
import { migrate } from '#db/migrate/migrate'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { type MigrationFixtures, migrationFixtures } from '../../support/migration-fixtures'

let fresh: FreshDatabase
let connection: Connection
let fixtures: MigrationFixtures
let sql: Sql

beforeEach(async () => {
  fresh = await freshDatabase()
  connection = await openFresh(fresh)
  fixtures = migrationFixtures()
  sql = postgres(fresh.settings.DATABASE_URL ?? '', { onnotice: () => {} })
})

afterEach(async () => {
  await sql.end()
  await connection.close()
  await fresh.remove()
  fixtures.remove()
})

const run = (lockWaitMs?: number) =>
  migrate(connection, fixtures.modules, {
    root: fixtures.root,
    ...(lockWaitMs === undefined ? {} : { lockWaitMs }),
  })

const addColumn = { '0001_column.sql': '-- rolling: safe\nalter table users add nickname text;' }

/** A transaction that has read users keeps a lock that the migration needs. */
async function readInTransaction() {
  const reader = await sql.reserve()
  await reader`begin`
  await reader`select 1 from users`
  return async () => {
    await reader`commit`
    reader.release()
  }
}

test('lets requests pass while it waits for a lock, and then continues', async () => {
  const release = await readInTransaction()
  fixtures.add(addColumn)
  const migrated = run()
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await vi.waitFor(
      async () =>
        expect(
          await sql`select 1 from pg_locks where relation = 'users'::regclass and not granted`,
        ).toHaveLength(1),
      10_000,
    )
    // It waits behind the migration. PostgreSQL ends it if it waits for longer.
    await sql.begin(async (tx) => {
      await tx`set local lock_timeout = 1000`
      await tx`select 1 from users limit 1`
    })
  }
  await release()
  expect(await migrated).toEqual(['fixtures/0001_column'])
})

test('gives up after the limit, names the migration and has changed nothing of it', async () => {
  const release = await readInTransaction()
  fixtures.add(addColumn)
  await expect(run(500)).rejects.toThrow(
    'Migration fixtures/0001_column failed: other transactions have held the locks that it needs for 0.5 seconds. End them: pg_stat_activity lists them by xact_start. Nothing of it was changed. The next run continues with it.',
  )
  await release()
  expect(await run()).toEqual(['fixtures/0001_column'])
})

test('replaces an invalid index that an interrupted build has left', async () => {
  await sql`create table codes (code text)`
  await sql`insert into codes values ('a'), ('a')`
  const build = 'create unique index concurrently if not exists codes_key on codes (code)'
  await expect(sql.unsafe(build)).rejects.toThrow('could not create unique index')
  await sql`delete from codes where ctid = (select min(ctid) from codes)`
  fixtures.add({ '0001_key.sql': `-- rolling: safe\n-- transaction: none\n${build};\n` })
  expect(await run()).toEqual(['fixtures/0001_key'])
  await expect(sql`insert into codes values ('a')`).rejects.toThrow('codes_key')
  expect(
    await sql`select indisvalid from pg_index where indexrelid = 'codes_key'::regclass`,
  ).toEqual([{ indisvalid: true }])
})

test('leaves no invalid index behind when a build fails', async () => {
  await sql`create table codes (code text)`
  await sql`insert into codes values ('a'), ('a')`
  fixtures.add({
    '0001_key.sql':
      '-- transaction: none\ncreate unique index concurrently if not exists codes_key on codes (code)',
  })
  await expect(run()).rejects.toThrow(
    'Migration fixtures/0001_key failed: could not create unique index "codes_key". Correct the migration. Nothing of it was changed.',
  )
  expect(await sql`select to_regclass('codes_key') as key`).toEqual([{ key: null }])
})

test('a limit of the database role does not end a long index build', async () => {
  await sql`create table codes (code int)`
  await sql`insert into codes values (1)`
  await sql.unsafe(`create function slow(code int) returns int immutable language plpgsql as
    'begin perform pg_sleep(3); return code; end'`)
  await sql.unsafe(`alter database ${sql.options.database} set statement_timeout = 2000`)
  fixtures.add({
    '0001_slow.sql':
      '-- transaction: none\ncreate index concurrently if not exists codes_slow on codes (slow(code))',
  })
  expect(await run()).toEqual(['fixtures/0001_slow'])
})
