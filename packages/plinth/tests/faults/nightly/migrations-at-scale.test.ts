import postgres, { type Sql } from 'postgres'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Connection } from '#db/client'
import { migrate } from '#db/migrate/migrate'
import { openPostgres } from '#db/postgres/postgres'
import { type Server, startServer } from '#testing/server/server'
import { findErrors } from '../../../scripts/check/declarations.mjs'
import { findPostgres, startPostgres } from '../../../scripts/services/programs.mjs'
import { insertManyUsers } from '../../support/many-users'
import { type MigrationFixtures, migrationFixtures } from '../../support/migration-fixtures'
import { storeSessions } from '../../support/session-load'
import { startTimedLoad } from '../../support/timed-load'

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 900_000 })

const count = 1_000_000

let cluster: Awaited<ReturnType<typeof startPostgres>>
let sql: Sql
let connection: Connection
let server: Server
let fixtures: MigrationFixtures

beforeAll(async () => {
  cluster = await startPostgres(process.env.TEST_POSTGRES_BIN ?? findPostgres())
  server = await startServer({
    DATABASE_URL: cluster.url,
    AUTH_SECRET: 'only-for-tests-'.repeat(3),
    LOG_LEVEL: 'warn',
  })
  connection = openPostgres({ url: cluster.url, poolSize: 4 })
  sql = postgres(cluster.url, { max: 2, onnotice: () => {} })
  fixtures = migrationFixtures()
  await insertManyUsers(sql, count)
})

afterAll(async () => {
  await server?.stop()
  await sql?.end()
  await connection?.close()
  await cluster?.stop()
  fixtures?.remove()
})

/** An index, a backfill of a ninth of the users, and a not null. */
const files = {
  '0001_handle.sql': `-- rolling: safe
alter table users add column handle text default 'none';
`,
  '0002_handle_missing.sql': `-- rolling: safe
-- transaction: none
create index concurrently if not exists users_handle_missing on users (id)
  where handle = 'none' and email between 'user1' and 'user2';
`,
  '0003_handle_backfill.sql': `-- rolling: safe
-- transaction: batch
update users set handle = id::text
  where id in (
    select id from users where handle = 'none' and email between 'user1' and 'user2' order by id limit $1
  );
`,
  '0004_handle_check.sql': `-- rolling: safe
alter table users add constraint users_handle_set check (handle is not null) not valid;
`,
  '0005_handle_validate.sql': `-- rolling: safe
alter table users validate constraint users_handle_set;
`,
  '0006_handle_not_null.sql': `-- rolling: safe
alter table users alter column handle set not null;
`,
  '0007_handle_check.sql': `-- rolling: safe
alter table users drop constraint users_handle_set;
`,
  '0008_handle_missing.sql': `-- rolling: safe
-- transaction: none
drop index concurrently if exists users_handle_missing;
`,
  '0009_handle_index.sql': `-- rolling: safe
-- transaction: none
create index concurrently if not exists users_handle_index on users (handle);
`,
}

/** A lock that a migration holds while it reads or writes all users lasts longer on any machine. */
const maxWaitMs = 1000
/** A slow or busy machine adds this many of the longest waits without a migration. */
const addedWaits = 3

test('no request waits more than a second while a million users are migrated', async () => {
  const sources = Object.entries(files).map(([name, text]) => [`src/x/migrations/${name}`, text])
  expect(findErrors(new Map(sources as [string, string][]))).toEqual([])
  fixtures.add(files)

  const tokens = await signInUsers(100)
  const load = startTimedLoad(server.url, tokens, {
    'insert a user': () => sql`insert into users (email, name)
      values (gen_random_uuid() || '@example.com', 'New')`,
    'rename a user': () => sql`update users set name = 'Renamed'
      where email = ${`user${1 + Math.floor(Math.random() * count)}@example.com`}`,
  })
  await vi.waitFor(() => expect(load.count()).toBeGreaterThan(100), 60_000)
  // Next is slow in the first seconds.
  load.takeLongest()
  const counted = load.count()
  await vi.waitFor(() => expect(load.count()).toBeGreaterThan(counted + 500), 120_000)
  const before = load.takeLongest()

  const waits: Record<string, Record<string, number>> = {}
  const applied = await migrate(connection, fixtures.modules, {
    root: fixtures.root,
    onApplied: (name) => {
      waits[name] = load.takeLongest()
    },
  })
  await load.stop()
  const limitMs = maxWaitMs + addedWaits * Math.max(...Object.values(before))
  process.stdout.write(
    `longest waits in ms: ${JSON.stringify({ before, ...waits }, undefined, 2)}\n`,
  )

  expect(applied).toHaveLength(9)
  expect(load.failures).toEqual([])
  const longest = Object.values(waits).flatMap((wait) => Object.values(wait))
  expect(longest.length).toBeGreaterThan(20)
  expect(longest.filter((milliseconds) => milliseconds >= limitMs)).toEqual([])
  const [users] = await sql`select count(*)::int as chosen,
      count(*) filter (where handle = id::text)::int as filled
    from users where email between 'user1' and 'user2'`
  expect(users?.chosen).toBeGreaterThan(count / 10)
  expect(users?.filled).toBe(users?.chosen)
})

/** More than one, because changes are limited for each user. */
async function signInUsers(number: number): Promise<string[]> {
  const emails = Array.from({ length: number }, (_, index) => `user${index + 1}@example.com`)
  const stored = emails.map((email) => storeSessions(connection.database, email, 1))
  return (await Promise.all(stored)).flat()
}
