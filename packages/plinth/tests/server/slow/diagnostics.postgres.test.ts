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
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { type Server, startServer } from '#testing/server/server'

let fresh: FreshDatabase
let folder: string
let server: Server

beforeAll(async () => {
  fresh = await freshDatabase()
})

afterAll(() => fresh.remove())

const start = async (settings: Record<string, string> = {}) => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-diagnose-'))
  const patient = { DATABASE_TIMEOUT_MS: '20000' }
  server = await startServer({ ...fresh.settings, ...patient, DATA_DIR: folder, ...settings })
}

const stop = async () => {
  await server.stop('SIGKILL')
  rmSync(folder, { recursive: true })
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

const profiles = () => readdirSync(join(folder, 'diagnostics'))

/** Written before its line. */
async function writtenFile(extension: string): Promise<string> {
  const [, path = ''] = await server.waitFor(new RegExp(`wrote ([^"]+\\.${extension})`))
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'diagnostics')).mode & 0o777).toBe(0o700)
  return readFileSync(path, 'utf8')
}

describe('one process', () => {
  beforeAll(() => start({ LOG_LEVEL: 'warn' }))
  afterAll(stop)

  test('says what can be written to the file, and changes nothing', async () => {
    process.kill(server.pid, 'SIGUSR2')
    await server.waitFor(/SIGUSR2: write to .*diagnose what to do: log-level \[trace\|/)
    diagnose('log-level loud')
    diagnose('cpu-profile 0')
    diagnose('cpu-profile 601')
    await get('/api/health/live')
    expect(readdirSync(folder)).not.toContain('diagnostics')
    expect(server.output()).not.toContain('log level: ')
  })

  test('changes the log level, and back', async () => {
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

  test('writes a CPU profile that only its owner can read', async () => {
    diagnose('cpu-profile 1')
    await server.waitFor(/taking a CPU profile for 1 s/)
    await get('/sign-in')
    const profile = JSON.parse(await writtenFile('cpuprofile'))
    expect(profile.nodes.length).toBeGreaterThan(10)
    expect(profile.samples.length).toBeGreaterThan(0)
  })

  test('writes a heap snapshot that only its owner can read, and serves again', async () => {
    const earlier = profiles().length
    diagnose('heap-snapshot')
    const text = await writtenFile('heapsnapshot')
    expect(text.startsWith('{"snapshot"')).toBe(true)
    await get('/api/health/live')
    expect(profiles()).toHaveLength(earlier + 1)
  })
})

test('with several processes the level is that of all, and a profile is of the one that is named', async () => {
  await start({ WEB_CONCURRENCY: '2', LOG_LEVEL: 'warn' })
  onTestFinished(stop)
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
  await writtenFile('cpuprofile')
  expect(profiles()).toEqual([expect.stringMatching(new RegExp(`-${worker}\\.cpuprofile$`))])
})
