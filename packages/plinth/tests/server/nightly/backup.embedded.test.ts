import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { run } from '#testing/program'
import { engineCommand } from '#testing/server/engine-command'
import { startServer } from '#testing/server/server'
import { demoPassword } from '#universal/users'
import { modesOf } from '../../support/file-modes'

let fresh: FreshDatabase
let folder: string

beforeEach(async () => {
  fresh = await freshDatabase()
  folder = fresh.settings.DATA_DIR ?? ''
})

afterEach(() => fresh.remove())

async function start(name: string, args: string[] = [], more: Record<string, string> = {}) {
  const settings = { ...fresh.settings, NODE_ENV: 'production', ...more }
  const program = run(...engineCommand(name, ...args), settings)
  return { code: await program.exited, output: program.output() }
}

async function signIn(base: string): Promise<string> {
  const response = await fetch(`${base}/api/auth/signin`, {
    method: 'POST',
    body: JSON.stringify({
      email: 'viewer@example.com',
      password: demoPassword,
      redirect: false,
      transport: 'bearer',
    }),
    headers: { 'content-type': 'application/json' },
  })
  return (await response.json()).token
}

const session = (base: string, token: string) =>
  fetch(`${base}/api/auth/session`, { headers: { authorization: `Bearer ${token}` } })

async function emailOf(base: string, token: string) {
  return (await (await session(base, token)).json())?.user?.email
}

test('a backup of a running server is restored without its sessions', async () => {
  const server = await startServer(fresh.settings)
  const token = await signIn(server.url)
  const statuses = new Set<number>()
  let running = true
  const requests = (async () => {
    // An unknown token is looked up in the database.
    while (running) statuses.add((await session(server.url, 'x'.repeat(43))).status)
  })()
  const backup = await start('backup')
  running = false
  await requests
  expect(statuses).toEqual(new Set([200]))
  const [, file = ''] = /^Wrote (.+) \(\d+\.\d MB\)\.\n$/.exec(backup.output) ?? []
  expect(file).toMatch(/\/backups\/backup-\d{8}T\d{6}Z\.tar\.gz$/)
  expect(backup.code).toBe(0)
  expect(readdirSync(join(folder, 'backups'))).toHaveLength(1)
  expect(modesOf(folder, 'backups')).toEqual(new Set(['700', '600']))
  expect(readFileSync(file).includes(demoPassword)).toBe(false)

  const refused = await start('restore', [file])
  expect(refused).toEqual({
    code: 1,
    output: `The embedded database is in use by process ${server.pid}. Stop it, or set DATA_DIR to another folder.\n`,
  })
  expect(await emailOf(server.url, token)).toBe('viewer@example.com')
  expect(statSync(join(folder, 'backup.sock')).mode & 0o777).toBe(0o600)
  expect(await server.stop()).toBe(0)

  const restored = await start('restore', [file])
  expect(restored.output).toMatch(
    /^Ended all sessions: 1\.\nDeleted links and unfinished sign-ins: 0\.\nDeleted queued mail: 0\.\nEmptied the change log\.\nRestored the database as it was at \d{4}-.*Z\.\nThe previous database is in .*database\.before-restore-\w+\. Delete it when you are done\.\n$/,
  )
  expect(restored.code).toBe(0)

  const again = await startServer(fresh.settings)
  expect(await emailOf(again.url, token)).toBeUndefined()
  expect(await emailOf(again.url, await signIn(again.url))).toBe('viewer@example.com')
  expect(await again.stop()).toBe(0)
  const connection = await openFresh(fresh)
  const { rows } = await connection.query(
    `select details from audit_events where action = 'restore_database'`,
    [],
  )
  expect(rows).toEqual([{ details: { sessions: 1, links: 0, mail: 0 } }])
  await connection.close()
})

test('without a file the database in DATA_DIR is prepared', async () => {
  expect(await start('restore')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Ended all sessions: 0\./),
  })
  const elsewhere = { DATA_DIR: join(folder, 'elsewhere') }
  expect(await start('restore', [], elsewhere)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^There is no embedded database in .*elsewhere\. Name a file/),
  })
  expect(await start('backup', [], elsewhere)).toMatchObject({ code: 1 })
  expect(readdirSync(folder)).not.toContain('elsewhere')
})

test('on PostgreSQL both say what to use instead, and unknown options are refused', async () => {
  const postgres = {
    DATABASE_URL: 'postgres://127.0.0.1:1/app',
    AUTH_SECRET: 'only-for-tests-'.repeat(3),
  }
  expect(await start('backup', [], postgres)).toEqual({
    code: 1,
    output: expect.stringContaining(
      'Use pg_dump: node_modules/plinth/docs/deploying.md, "Backups".',
    ),
  })
  expect(await start('restore', ['backup.tar.gz'], postgres)).toEqual({
    code: 1,
    output: expect.stringContaining('Restore a dump with pg_restore'),
  })
  expect(await start('backup', ['--all'])).toEqual({
    code: 2,
    output: 'Usage: npm run backup -- [file]\n',
  })
  expect(await start('restore', ['one', 'two'])).toEqual({
    code: 2,
    output: 'Usage: npm run restore -- [file]\n',
  })
})
