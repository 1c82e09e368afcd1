import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '#db/migrate/migrate'
import { openPostgres } from '#db/postgres/postgres'
import { findPostgres, startPostgres } from '../../../../scripts/services/programs.mjs'
import { type MigrationFixtures, migrationFixtures } from '../../../support/migration-fixtures'
import { findPgBouncer, startPgBouncer } from '../../../support/services/pgbouncer.mjs'

let postgres: Awaited<ReturnType<typeof startPostgres>>
let pooler: Awaited<ReturnType<typeof startPgBouncer>>
let fixtures: MigrationFixtures

beforeAll(async () => {
  postgres = await startPostgres(process.env.TEST_POSTGRES_BIN ?? findPostgres())
  pooler = await startPgBouncer(process.env.TEST_PGBOUNCER ?? findPgBouncer(), postgres.url)
  fixtures = migrationFixtures()
})

afterAll(async () => {
  fixtures?.remove()
  await pooler?.stop()
  await postgres?.stop()
})

const open = () => openPostgres({ url: pooler.url, pooler: true, poolSize: 2 })

test('one of several processes migrates through a pooler in transaction mode', async () => {
  fixtures.add({
    '0001_table.sql': 'create table numbers (n int, square int);\ninsert into numbers values (1);',
    '0002_index.sql':
      '-- transaction: none\ncreate index concurrently if not exists numbers_n on numbers (n);',
    '0003_backfill.sql':
      '-- transaction: batch\nupdate numbers set square = n * n where n in (select n from numbers where square is null limit $1);',
  })
  const connections = Array.from({ length: 3 }, open)
  const applied = await Promise.all(
    connections.map((connection) => migrate(connection, fixtures.modules, { root: fixtures.root })),
  )
  const names = applied.flat()
  expect(names).toContain('core/0001_initial')
  expect(names.slice(-3)).toEqual([
    'fixtures/0001_table',
    'fixtures/0002_index',
    'fixtures/0003_backfill',
  ])
  expect(new Set(names).size).toBe(names.length)
  await Promise.all(connections.map((connection) => connection.close()))
})
