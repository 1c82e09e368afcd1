import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Connection } from '@/core/db/client'
import { migrate } from '@/core/db/migrate'
import * as schema from '@/core/db/schema'
import { freshDatabase, onPostgres, openPlace, type Place } from '../support/database'

let place: Place
let connection: Connection
let root: string

beforeEach(async () => {
  place = await freshDatabase('empty')
  connection = await openPlace(place)
  root = mkdtempSync(join(tmpdir(), 'plinth-migrations-'))
  cpSync('src/core/db/migrations', join(root, 'src/core/db/migrations'), { recursive: true })
})

afterEach(async () => {
  await connection.close()
  await place.remove()
  rmSync(root, { recursive: true, force: true })
})

const read = (statement: string) => connection.transact((run) => run(statement))

function addMigration(folder: string, name: string, statements: string): void {
  mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, folder, name), statements)
}

test('what the queries know of the tables is what the migrations made', async () => {
  await migrate(connection, [], root)
  const tables = Object.values(schema).filter((value) => is(value, PgTable)) as PgTable[]
  expect(tables.length).toBeGreaterThanOrEqual(6)
  for (const table of tables) {
    const known = getTableConfig(table)
    const columns = await read(
      `select column_name as name, is_nullable = 'NO' as required,
              column_default is not null or is_identity = 'YES' as defaulted
       from information_schema.columns where table_name = '${getTableName(table)}' order by 1`,
    )
    const expected = known.columns
      .map((column) => ({
        name: column.name,
        required: column.notNull,
        defaulted: column.hasDefault || column.generatedIdentity !== undefined,
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    expect({ table: known.name, columns }).toEqual({ table: known.name, columns: expected })

    const indexes = await read(`select indexname from pg_indexes where tablename = '${known.name}'`)
    const names = indexes.map(({ indexname }) => indexname)
    for (const { config } of known.indexes) expect(names).toContain(config.name)
  }
})

test('a second run does nothing', async () => {
  expect(await migrate(connection, [], root)).toContain('core/0001_core')
  expect(await migrate(connection, [], root)).toEqual([])
})

test('ten at once: one migrates, the others find it done', async () => {
  const others = onPostgres
    ? await Promise.all(Array.from({ length: 9 }, () => openPlace(place)))
    : []
  const runners = onPostgres ? [connection, ...others] : Array(10).fill(connection)
  const applied = await Promise.all(runners.map((runner) => migrate(runner, [], root)))
  expect(applied.flat().filter((name) => name === 'core/0001_core')).toHaveLength(1)
  for (const other of others) await other.close()
})

test('a module brings its own, after those of core', async () => {
  addMigration(
    'src/app/(notes)/migrations',
    '0001_notes.sql',
    'create table notes (id int primary key, user_id uuid references users (id)); create index on notes (user_id);',
  )
  const applied = await migrate(connection, [{ id: 'notes' }], root)
  expect(applied.at(-1)).toBe('notes/0001_notes')
  expect(await read('select count(*)::int as count from notes')).toEqual([{ count: 0 }])
})

test('a migration that fails leaves nothing behind', async () => {
  addMigration(
    'src/core/db/migrations',
    '9999_broken.sql',
    'create table half (id int); select 1 / 0;',
  )
  await expect(migrate(connection, [], root)).rejects.toThrow('division by zero')
  const tables = await read(
    `select table_name from information_schema.tables where table_schema = 'public'`,
  )
  expect(tables).toEqual([])
})

test('a migration that was changed after it was applied stops the start', async () => {
  await migrate(connection, [], root)
  addMigration('src/core/db/migrations', '0001_core.sql', 'select 1;')
  await expect(migrate(connection, [], root)).rejects.toThrow(
    'Migration core/0001_core was changed after it had been applied.',
  )
})
