import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { freePort, type Server, startServer } from '#testing/server/server'
import { readSeries, scrape, sumOf } from '../../support/scrape'

let fresh: FreshDatabase
let server: Server
let metricsUrl: string

beforeAll(async () => {
  fresh = await freshDatabase()
})

afterAll(() => fresh.remove())

async function start(settings: Record<string, string> = {}): Promise<void> {
  const port = String(await freePort())
  metricsUrl = `http://127.0.0.1:${port}`
  // A busy machine is slower than the default.
  const patient = { DATABASE_TIMEOUT_MS: '20000' }
  server = await startServer({ ...fresh.settings, ...patient, METRICS_PORT: port, ...settings })
}

/** On a connection of its own, so that the workers take turns. */
async function get(path: string, init: RequestInit = {}): Promise<number> {
  const headers = { ...init.headers, connection: 'close' }
  const response = await fetch(server.url + path, { ...init, headers, redirect: 'manual' })
  await response.text()
  return response.status
}

const seriesReaches = (name: string, value: number) =>
  expect
    .poll(async () => readSeries(await scrape(metricsUrl))[name], { timeout: 60_000 })
    .toBe(value)

const workersOf = ({ pid }: Server) =>
  execFileSync('sh', ['-c', `ps -o pid= --ppid ${pid} || true`])
    .toString()
    .split('\n')
    .map(Number)
    .filter(Boolean)

const live = 'http_requests_total{method="GET",route="/api/health/live",status="200"}'

describe('one process', () => {
  beforeAll(() => start())
  afterAll(() => server.stop('SIGKILL'))

  test('labels have few values, whatever callers send', async () => {
    const [first, second] = [randomUUID(), randomUUID()]
    expect(await get(`/${first}`)).toBe(404)
    expect(await get(`/${second}/deeper?token=${first}`)).toBe(404)
    expect(await get(`/api/${first}`)).toBe(404)
    for (let round = 0; round < 3; round += 1) expect(await get('/api/auth/session')).toBe(200)
    expect(await get('/icons.svg')).toBe(200)
    expect(await get('/sign-in')).toBe(200)
    await get('/sign-in', { method: 'PROPFIND' })
    const body = JSON.stringify({ email: `${first}@example.com`, password: second })
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${first}` }
    expect(await get('/api/auth/signin', { method: 'POST', body, headers })).toBe(401)

    // The request for a page has ended when its connection is done with it.
    const unmatched = 'http_requests_total{method="GET",route="unmatched",status="404"}'
    await seriesReaches(unmatched, 2)
    const text = await scrape(metricsUrl)
    for (const secret of [first, second, 'PROPFIND']) expect(text).not.toContain(secret)
    const series = readSeries(text)
    expect(series).toMatchObject({
      'http_requests_total{method="GET",route="/api/*",status="404"}': 1,
      'http_requests_total{method="GET",route="/api/auth/session",status="200"}': 3,
      'http_requests_total{method="GET",route="static",status="200"}': 1,
      'http_requests_total{method="GET",route="/sign-in",status="200"}': 1,
      'http_requests_total{method="POST",route="/api/auth/signin",status="401"}': 1,
      'plinth_sign_ins_total{method="password",result="failure"}': 1,
      'plinth_workers{state="responding"}': 1,
      plinth_database_up: 1,
      'plinth_mail_queue_messages{state="waiting"}': 0,
    })
    expect(series['http_request_duration_seconds_count{method="GET",route="unmatched"}']).toBe(2)
    expect(text).toMatch(/^plinth_build_info\{version="[^"]+",build="[^"]+",node="[\d.]+"\} 1$/m)
    const startedAt = (series.process_start_time_seconds ?? 0) * 1000
    expect(Math.abs(Date.now() - startedAt)).toBeLessThan(120_000)
    expect(series.process_resident_memory_bytes).toBeGreaterThan(50_000_000)
  })

  test('GET /metrics only, on the port of the metrics only', async () => {
    expect(await get('/metrics')).toBe(404)
    const statusOf = async (path: string, init?: RequestInit) =>
      (await fetch(metricsUrl + path, init)).status
    expect(await statusOf('/')).toBe(404)
    expect(await statusOf('/api/health')).toBe(404)
    expect(await statusOf('/metrics', { method: 'POST' })).toBe(405)
    const response = await fetch(`${metricsUrl}/metrics`)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  })

  test('shows a session check that waits for a lock, which is answered after it', async () => {
    const { database, close } = await openFresh(fresh)
    onTestFinished(close)
    const cookie = `authjs.session-token=${'A'.repeat(43)}`
    let waiting: Promise<number> | undefined
    await database.transaction(async (tx) => {
      await tx.execute('lock table sessions in access exclusive mode')
      waiting = get('/api/auth/session', { headers: { cookie } })
      await seriesReaches('http_requests_in_flight', 1)
      // The health check waits behind it on the same connection, and fails after a second.
      await seriesReaches('plinth_database_up', 0)
    })
    expect(await waiting).toBe(200)
    await seriesReaches('http_requests_in_flight', 0)
  })

  test('shows requests that wait, with the age of the oldest', async () => {
    const idle = readSeries(await scrape(metricsUrl))
    expect([idle.http_requests_in_flight, idle.http_oldest_request_age_seconds]).toEqual([0, 0])
    const stuck = new AbortController()
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{')) })
    const waiting = fetch(`${server.url}/api/auth/signin`, {
      method: 'POST',
      body,
      duplex: 'half',
      signal: stuck.signal,
    } as RequestInit).catch(() => {})
    await seriesReaches('http_requests_in_flight', 1)
    const { http_oldest_request_age_seconds: age } = readSeries(await scrape(metricsUrl))
    expect(age).toBeGreaterThan(0)
    stuck.abort()
    await waiting
    await seriesReaches('http_requests_in_flight', 0)
  })
})

test('adds up all processes, and keeps the counts of those that exit', async () => {
  await start({ WEB_CONCURRENCY: '2' })
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  await seriesReaches('plinth_workers{state="responding"}', 2)
  for (let round = 0; round < 40; round += 1) expect(await get('/api/health/live')).toBe(200)
  const before = readSeries(await scrape(metricsUrl))
  expect(before[live]).toBe(40)
  expect(before['plinth_database_pool_size{pool="requests"}']).toBe(20)
  expect(before.plinth_database_up).toBe(1)
  expect(before.plinth_worker_exits_total).toBe(0)

  const [first = 0, second = 0] = workersOf(server)
  process.kill(first, 'SIGSTOP')
  const unresponsive = readSeries(await scrape(metricsUrl))
  expect(unresponsive).toMatchObject({
    [live]: 40,
    'plinth_workers{state="responding"}': 1,
    'plinth_workers{state="unresponsive"}': 1,
    'plinth_database_pool_size{pool="requests"}': 10,
  })
  const another = readSeries(await scrape(metricsUrl))
  expect(another.plinth_database_up, 'told by the process that responds').toBe(1)
  process.kill(first, 'SIGKILL')
  await expect.poll(() => workersOf(server).includes(first)).toBe(false)
  for (let round = 0; round < 10; round += 1) expect(await get('/api/health/live')).toBe(200)
  const after = readSeries(await scrape(metricsUrl))
  expect(after[live]).toBe(50)
  expect(after.plinth_worker_exits_total).toBe(1)
  expect(sumOf(after, /^http_request_duration_seconds_count/)).toBeGreaterThanOrEqual(50)
  expect(workersOf(server)).toContain(second)
})

test('without METRICS_PORT no port is opened', async () => {
  const port = String(await freePort())
  server = await startServer({ ...fresh.settings, METRICS_HOST: '127.0.0.1' })
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
  expect(server.output()).not.toContain('/metrics')
  expect(listeningPorts(server.pid)).toEqual([Number(new URL(server.url).port)])
})

/** The ports of one process, on Linux. */
function listeningPorts(pid: number): number[] {
  const script = `for f in /proc/${pid}/fd/*; do readlink $f; done | grep -o 'socket:.[0-9]*' | grep -o '[0-9]*'`
  const inodes = new Set(execFileSync('sh', ['-c', script]).toString().split('\n'))
  const sockets = execFileSync('cat', [`/proc/${pid}/net/tcp`, `/proc/${pid}/net/tcp6`])
  return sockets
    .toString()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode = '']) => state === '0A' && inodes.has(inode))
    .map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16))
}
