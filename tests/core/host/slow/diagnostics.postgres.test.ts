import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FreshDatabase, freshDatabase } from '@tests/support/database'
import { type Server, startServer } from '@tests/support/server'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 120_000 })

let fresh: FreshDatabase
let folder: string
let server: Server

beforeAll(async () => {
  fresh = await freshDatabase()
})

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-diagnose-'))
})

afterEach(async () => {
  await server.stop('SIGKILL')
  rmSync(folder, { recursive: true })
})

afterAll(() => fresh.remove())

const start = async (settings: Record<string, string> = {}) => {
  const patient = { DATABASE_TIMEOUT_MS: '20000' }
  server = await startServer({ ...fresh.settings, ...patient, DATA_DIR: folder, ...settings })
}

const request = () => join(folder, 'diagnose')

function diagnose(what: string, pid = server.pid): void {
  writeFileSync(request(), `${what}\n`)
  process.kill(pid, 'SIGUSR2')
}

async function get(path: string): Promise<void> {
  await (await fetch(server.url + path, { headers: { connection: 'close' } })).text()
}

const requestLines = () => server.log().filter(({ msg }) => msg === 'request').length

/** Written before its line. */
async function writtenFile(): Promise<string> {
  const [, path = ''] = await server.waitFor(/wrote ([^"]+)/)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'diagnostics')).mode & 0o777).toBe(0o700)
  return readFileSync(path, 'utf8')
}

test('changes the log level, and back', async () => {
  await start({ LOG_LEVEL: 'warn' })
  await get('/api/auth/csrf')
  expect(requestLines()).toBe(0)
  diagnose('log-level info')
  await server.waitFor(/log level: info/)
  expect(existsSync(request())).toBe(false)
  await get('/api/auth/csrf')
  await get('/api/health/live')
  await expect.poll(requestLines).toBe(2)
  diagnose('log-level')
  await server.waitFor(/log level: warn/)
  await get('/api/auth/csrf')
  // Lines come in batches; an announced one comes after them.
  diagnose('log-level debug')
  await server.waitFor(/log level: debug/)
  expect(requestLines()).toBe(2)
})

test('says what can be written to the file, and changes nothing', async () => {
  await start()
  process.kill(server.pid, 'SIGUSR2')
  await server.waitFor(/SIGUSR2: write to .*diagnose what to do: log-level \[trace\|/)
  diagnose('log-level loud')
  diagnose('cpu-profile 0')
  diagnose('cpu-profile 601')
  await get('/api/health/live')
  expect(readdirSync(folder)).not.toContain('diagnostics')
  expect(server.output()).not.toContain('log level: ')
})

test('writes a CPU profile that only its owner can read', async () => {
  await start()
  diagnose('cpu-profile 1')
  await server.waitFor(/taking a CPU profile for 1 s/)
  await get('/sign-in')
  const profile = JSON.parse(await writtenFile())
  expect(profile.nodes.length).toBeGreaterThan(10)
  expect(profile.samples.length).toBeGreaterThan(0)
})

test('writes a heap snapshot that only its owner can read, and serves again', async () => {
  await start()
  diagnose('heap-snapshot')
  const text = await writtenFile()
  expect(text.startsWith('{"snapshot"')).toBe(true)
  await get('/api/health/live')
  expect(readdirSync(join(folder, 'diagnostics'))).toHaveLength(1)
})

test('with several processes the level is that of all, and a profile is of the one that is named', async () => {
  await start({ WEB_CONCURRENCY: '2', LOG_LEVEL: 'warn' })
  diagnose('log-level info')
  await expect
    .poll(() => server.output().match(/log level: info/g)?.length, { timeout: 30_000 })
    .toBe(3)
  diagnose('cpu-profile 1')
  const [, ids = ''] = await server.waitFor(/send it to one of the processes that serve: ([\d, ]+)/)
  const workers = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)]).toString()
  const [worker = 0] = ids.split(', ').map(Number)
  expect(workers.split(/\s+/).map(Number)).toContain(worker)
  process.kill(worker, 'SIGUSR2')
  await writtenFile()
  expect(readdirSync(join(folder, 'diagnostics'))).toEqual([
    expect.stringMatching(new RegExp(`-${worker}\\.cpuprofile$`)),
  ])
})
