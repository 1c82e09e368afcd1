import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StartupError } from '#config/env'
import type { Connection } from '#db/client'
import { migrate } from '#db/migrate/migrate'
import { findPending } from '#db/migrate/plan'
import * as schema from '#db/schema'
import {
  type FreshDatabase,
  freshDatabase,
  onPostgres,
  openFresh,
} from '#testing/database/database'

let fresh: FreshDatabase
let connection: Connection
let root: string

beforeEach(async () => {
  fresh = await freshDatabase('empty')
  connection = await openFresh(fresh)
  root = mkdtempSync(join(tmpdir(), 'plinth-migrations-'))
  cpSync('packages/plinth/migrations', folders().core, { recursive: true })
})

afterEach(async () => {
  await connection.close()
  await fresh.remove()
  rmSync(root, { recursive: true, force: true })
})

/** With copies of core's migrations, to which tests add some. */
const folders = () => ({ root, core: join(root, 'core') })

const query = (statement: string) => connection.transact((execute) => execute(statement))

const tableNames = () =>
  query(`select table_name from information_schema.tables where table_schema = 'public'`)

function addMigration(folder: string, name: string, statements: string): void {
  mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, folder, name), statements)
}

test('the schema of the queries matches the migrated tables', async () => {
  await migrate(connection, [], folders())
  const tables = Object.values(schema).filter((value) => is(value, PgTable)) as PgTable[]
  expect(tables.length).toBeGreaterThanOrEqual(6)
  for (const table of tables) {
    const declared = getTableConfig(table)
    const columns = await query(
      `select column_name as name, is_nullable = 'NO' as required,
              column_default is not null or is_identity = 'YES' as defaulted
       from information_schema.columns where table_name = '${getTableName(table)}' order by 1`,
    )
    const expected = declared.columns
      .map((column) => ({
        name: column.name,
        required: column.notNull,
        defaulted: column.hasDefault || column.generatedIdentity !== undefined,
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    const { name } = declared
    expect({ table: name, columns }).toEqual({ table: name, columns: expected })

    const indexes = await query(`select indexname from pg_indexes where tablename = '${name}'`)
    const names = indexes.map(({ indexname }) => indexname)
    for (const { config } of declared.indexes) expect(names).toContain(config.name)
  }
})

test('a second run applies nothing', async () => {
  expect(await migrate(connection, [], folders())).toContain('core/0001_initial')
  expect(await migrate(connection, [], folders())).toEqual([])
})

test('one of ten concurrent runs applies a migration', async () => {
  const others = onPostgres
    ? await Promise.all(Array.from({ length: 9 }, () => openFresh(fresh)))
    : []
  const runners = onPostgres ? [connection, ...others] : Array(10).fill(connection)
  const applied = await Promise.all(runners.map((runner) => migrate(runner, [], folders())))
  expect(applied.flat().filter((name) => name === 'core/0001_initial')).toHaveLength(1)
  for (const other of others) await other.close()
})

test('applies the migrations of a module after those of core', async () => {
  addMigration(
    'src/app/(notes)/migrations',
    '0001_notes.sql',
    'create table notes (id int primary key, user_id uuid references users (id)); create index on notes (user_id);',
  )
  const applied = await migrate(connection, [{ id: 'notes' }], folders())
  expect(applied.at(-1)).toBe('notes/0001_notes')
  expect(await query('select count(*)::int as count from notes')).toEqual([{ count: 0 }])
})

test('rolls back a migration that fails, and the next run continues with it', async () => {
  addMigration('core', '9999_broken.sql', 'create table half (id int); select 1 / 0;')
  await expect(migrate(connection, [], folders())).rejects.toThrow(
    'Migration core/9999_broken failed: division by zero. Correct the migration. Nothing of it was changed. The next run continues with it.',
  )
  const names = (await tableNames()).map(({ table_name }) => table_name)
  expect(names).toContain('users')
  expect(names).not.toContain('half')
  addMigration('core', '9999_broken.sql', 'create table half (id int);')
  expect(await migrate(connection, [], folders())).toEqual(['core/9999_broken'])
})

test.each([
  ['create table users (id int, nickname text)', 'relation "users" already exists'],
  ['create table mail_queue (id int)', 'relation "mail_queue" already exists'],
])('rejects the database of another application, with: %s', async (statement, reason) => {
  await query(statement)
  const before = await contents()
  const error = await migrate(connection, [], folders()).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(StartupError)
  expect((error as Error).message).toBe(
    `Migration core/0001_initial failed: ${reason}. The database belongs to another application. Use an empty database. Nothing was changed.`,
  )
  expect(await contents()).toEqual(before)
})

test('rejects a new migration whose table exists already', async () => {
  await migrate(connection, [], folders())
  await query('create table notes (id int)')
  const before = await contents()
  addMigration('src/app/(notes)/migrations', '0001_notes.sql', 'create table notes (id int)')
  await expect(migrate(connection, [{ id: 'notes' }], folders())).rejects.toThrow(
    'Migration notes/0001_notes failed: relation "notes" already exists. Rename it in the migration, or drop the one in the database. Nothing of it was changed. The next run continues with it.',
  )
  expect(await contents()).toEqual(before)
})

/** Every relation, column, function and extension. */
const contents = () =>
  query(`
    select 'relation', relname::text, relkind::text from pg_class
      where relnamespace = 'public'::regnamespace
    union all select 'column', table_name, column_name from information_schema.columns
      where table_schema = 'public'
    union all select 'function', proname, '' from pg_proc
      where pronamespace = 'public'::regnamespace
    union all select 'extension', extname, '' from pg_extension
    order by 1, 2, 3`)

test('rejects a migration that was changed after it was applied', async () => {
  await migrate(connection, [], folders())
  addMigration('core', '0001_initial.sql', 'select 1;')
  await expect(migrate(connection, [], folders())).rejects.toThrow(
    'Migration core/0001_initial was changed after it had been applied.',
  )
})

test.each([
  ['migrate', () => migrate(connection, [], folders())],
  ['findPending', () => findPending(connection, [], folders())],
])('%s rejects a database from before the first release and changes nothing', async (_, run) => {
  await query(
    `create table plinth_migrations (
       owner text not null, name text not null, hash text not null,
       applied_at timestamptz(3) not null default now(), primary key (owner, name)
     );
     insert into plinth_migrations (owner, name, hash) values ('core', '0001_core', 'x')`,
  )
  const contents = () => query('select * from plinth_migrations')
  const before = [await tableNames(), await contents()]
  const error = await run().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(StartupError)
  expect((error as Error).message).toMatch(/^This database .*Recreate it: [^\n]+\.$/)
  expect([await tableNames(), await contents()]).toEqual(before)
})

test('finds pending migrations without applying them', async () => {
  const names = readdirSync('packages/plinth/migrations')
    .sort()
    .map((file) => `core/${file.replace('.sql', '')}`)
  const { pending, applied } = await findPending(connection, [], folders())
  expect(pending.map(({ name }) => name)).toEqual(names)
  expect(pending[0]).toEqual({ name: 'core/0001_initial', rolling: 'safe' })
  expect(applied).toBe(0)
  expect(await tableNames()).toEqual([])
})

test('0002_module_mail keeps queued mail, and the inserts of the previous version still work', async () => {
  const folder = folders().core
  const added = join(folder, '0002_module_mail.sql')
  const statements = readFileSync(added, 'utf8')
  // Later ones need it.
  for (const name of readdirSync(folder)) if (name > '0002') rmSync(join(folder, name))
  await migrate(connection, [], folders())
  const insertAsBefore = (email: string) =>
    query(
      `insert into mail_queue (id, purpose, email, created_at, attempts, due_at)
       values (default, 'sign_up', '${email}', default, default, default)
       on conflict do nothing returning email`,
    )
  await insertAsBefore('queued@example.com')

  writeFileSync(added, statements)
  expect(await migrate(connection, [], folders())).toEqual(['core/0002_module_mail'])
  expect(await query('select purpose, email, data from mail_queue')).toEqual([
    { purpose: 'sign_up', email: 'queued@example.com', data: {} },
  ])
  expect(await insertAsBefore('queued@example.com')).toEqual([])
  expect(await insertAsBefore('new@example.com')).toHaveLength(1)
})
