import postgres from 'postgres'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { run } from '#testing/program'
import { engineCommand } from '#testing/server/engine-command'
import { findPostgres, startPostgres } from '../../../../scripts/services/programs.mjs'
import { migrationFixtures } from '../../../support/migration-fixtures'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

let cluster: Awaited<ReturnType<typeof startPostgres>>
let settings: Record<string, string>

beforeAll(async () => {
  cluster = await startPostgres(process.env.TEST_POSTGRES_BIN ?? findPostgres())
  settings = { DATABASE_URL: cluster.url, AUTH_SECRET: 'only-for-tests-'.repeat(3) }
  const first = run(...engineCommand('migrate'), settings)
  expect(await first.exited, first.output()).toBe(0)
})

afterAll(() => cluster?.stop())

const fixtures = {
  'in a transaction': '-- rolling: unsafe\nselect pg_sleep(60);\ncreate table done (id int);\n',
  // It waits for the transaction that the test keeps open.
  'in an index build':
    '-- rolling: safe\n-- transaction: none\ncreate index concurrently if not exists users_done on users (id);\n',
}

test.each(Object.entries(fixtures))(
  'another process takes over after a kill %s',
  async (_, text) => {
    const { root, add, remove } = migrationFixtures('landing')
    add({ '9001_slow.sql': text })
    const sql = postgres(cluster.url, { max: 2, onnotice: () => {} })
    const reader = await sql.reserve()
    await reader`begin`
    await reader`insert into users (email, name) values ('reader@example.com', 'Reader')`
    const migrate = () => run(...engineCommand('migrate'), settings, root)
    try {
      const killed = migrate()
      await vi.waitFor(
        async () =>
          expect(
            await sql`select 1 from pg_stat_activity where datname = current_database()
            and query ~ 'pg_sleep|create index' and pid <> pg_backend_pid()`,
          ).toHaveLength(1),
        30_000,
      )
      killed.child.kill('SIGKILL')
      await killed.exited
      await reader`rollback`
      // Nothing of it was recorded, so it can be corrected.
      if (text.includes('pg_sleep')) add({ '9001_slow.sql': text.replace('pg_sleep(60)', '1') })
      const next = migrate()
      expect(await next.exited, next.output()).toBe(0)
      expect(next.output()).toContain('Applied landing/9001_slow')
      expect(
        await sql`select coalesce(to_regclass('done'), to_regclass('users_done')) is not null as done`,
      ).toEqual([{ done: true }])
      expect(await sql`select 1 from pg_index where not indisvalid`).toHaveLength(0)
    } finally {
      reader.release()
      await sql`delete from plinth_migrations where name = '9001_slow'`
      await sql.end()
      remove()
    }
  },
)
