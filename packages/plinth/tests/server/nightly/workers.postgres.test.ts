import { execFileSync } from 'node:child_process'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { launchServer, type Server, startServer } from '#testing/server/server'

let fresh: FreshDatabase
let server: Server

beforeAll(async () => {
  fresh = await freshDatabase()
  return () => fresh.remove()
})

afterEach(async () => {
  await server.stop('SIGKILL')
})

const workersOf = ({ pid }: Server) => {
  const list = execFileSync('sh', ['-c', `ps -o pid= --ppid ${pid} || true`]).toString()
  return list.split('\n').map(Number).filter(Boolean)
}

/** On its own connection. Request ids start with an id of the process. */
async function get(path: string) {
  const response = await fetch(`${server.url}${path}`, { headers: { connection: 'close' } })
  await response.text()
  return { status: response.status, id: response.headers.get('x-request-id')?.split('-')[0] ?? '' }
}

async function respondingProcesses(path = '/api/health', status = 200): Promise<Set<string>> {
  const responses = await Promise.all(Array.from({ length: 40 }, () => get(path)))
  for (const response of responses) expect(response.status).toBe(status)
  return new Set(responses.map(({ id }) => id))
}

test('workers share the port, are restarted after a crash and stop together', async () => {
  const settings = { WEB_CONCURRENCY: '2', SHUTDOWN_DELAY_MS: '3000' }
  server = await startServer({ ...fresh.settings, ...settings })
  await vi.waitFor(async () => expect((await respondingProcesses()).size).toBe(2), 30_000)
  const [first = 0, second = 0] = workersOf(server)
  expect(second).toBeGreaterThan(0)

  // A worker that does not accept the connection that it was given, and then dies.
  process.kill(first, 'SIGSTOP')
  const statuses: number[] = []
  const requests = Array.from({ length: 8 }, async () => {
    statuses.push((await get('/api/health')).status)
  })
  await vi.waitFor(() => expect(statuses).toHaveLength(7), 10_000)
  process.kill(first, 'SIGKILL')
  await Promise.all(requests)
  expect(new Set(statuses)).toEqual(new Set([200]))

  await vi.waitFor(() => {
    const now = workersOf(server)
    expect(now).toHaveLength(2)
    expect(now).not.toContain(first)
  }, 30_000)
  await vi.waitFor(async () => expect((await respondingProcesses()).size).toBe(2), 30_000)
  expect(server.output()).toContain('worker exited; restarting')

  const workers = workersOf(server)
  server.child.kill('SIGTERM')
  await vi.waitFor(async () => {
    expect((await respondingProcesses('/api/health/ready', 503)).size).toBe(2)
  })
  expect(await server.exited).toBe(0)
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('a failed first start of the workers exits with one line', async () => {
  server = launchServer({
    ...fresh.settings,
    DATABASE_URL: `${fresh.settings.DATABASE_URL}_missing`,
    WEB_CONCURRENCY: '2',
  })
  expect(await server.exited).toBe(1)
  expect(server.output()).toContain('DATABASE_URL: the database does not exist')
})

test('rejects WEB_CONCURRENCY with the embedded database', async () => {
  server = launchServer({ DATABASE_URL: '', WEB_CONCURRENCY: '2' })
  expect(await server.exited).toBe(1)
  expect(server.output()).toContain('WEB_CONCURRENCY requires DATABASE_URL')
})
