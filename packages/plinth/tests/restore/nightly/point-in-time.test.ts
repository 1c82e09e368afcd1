import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '#testing/program'
import { engineCommand } from '#testing/server/engine-command'
import { findPostgres } from '../../../scripts/services/programs.mjs'
import { query } from '../../support/postgres-dump'
import { startArchivedPostgres } from '../../support/services/archived-postgres.mjs'

const bin = process.env.TEST_POSTGRES_BIN ?? findPostgres() ?? ''

let server: Awaited<ReturnType<typeof startArchivedPostgres>>

beforeAll(async () => {
  server = await startArchivedPostgres(bin)
})

afterAll(() => server.stop())

async function start(name: string, url: string) {
  const settings = {
    DATABASE_URL: url,
    AUTH_SECRET: 'only-for-tests-'.repeat(3),
    NODE_ENV: 'production',
  }
  const program = run(...engineCommand(name), settings)
  return { code: await program.exited, output: program.output() }
}

function addUser(name: string) {
  return query(
    server.url,
    `with added as (
       insert into users (email, name) values ('${name}@example.com', '${name}') returning id
     ) insert into sessions (user_id, token_hash, expires_at)
       select id, '\\x${randomBytes(32).toString('hex')}', now() + interval '1 day' from added`,
  )
}

test('a base backup and the archived log restore any moment, without its sessions', {
  timeout: 180_000,
}, async () => {
  expect(await start('migrate', server.url)).toMatchObject({ code: 0 })
  await addUser('before')
  await server.baseBackup()
  await addUser('since')
  const [{ time, segment } = {}] = await query(
    server.url,
    'select clock_timestamp()::text as time, pg_walfile_name(pg_current_wal_lsn()) as segment',
  )
  await addUser('too-late')
  await query(server.url, 'select pg_switch_wal()')
  await expect.poll(() => server.archived()).toContain(segment)

  const url = await server.recover(String(time))
  const names = () => query(url, 'select name from users order by created_at')
  expect(await names()).toEqual([{ name: 'before' }, { name: 'since' }])
  const prepared = await start('restore', url)
  expect(prepared).toMatchObject({ code: 0 })
  expect(prepared.output).toContain('Ended all sessions: 2.\n')
  expect(await query(url, 'select id from sessions')).toEqual([])
  expect(await names()).toHaveLength(2)
})
