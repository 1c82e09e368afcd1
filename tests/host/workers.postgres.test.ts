import { execFileSync } from 'node:child_process'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../support/database'
import { launchServer, type Server, startServer } from '../support/server'

vi.setConfig({ testTimeout: 120_000 })

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

/** Request ids start with an id of the process. Each request uses its own connection. */
async function respondingProcesses(): Promise<Set<string>> {
  const ids = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const response = await fetch(`${server.url}/api/health`, { headers: { connection: 'close' } })
      expect(response.status).toBe(200)
      return response.headers.get('x-request-id')?.split('-')[0] ?? ''
    }),
  )
  return new Set(ids)
}

test('workers share the port, are restarted after a crash and stop together', async () => {
  server = await startServer({ ...fresh.settings, WEB_CONCURRENCY: '2' })
  await vi.waitFor(async () => expect((await respondingProcesses()).size).toBe(2), 30_000)
  const [first = 0, second = 0] = workersOf(server)
  expect(second).toBeGreaterThan(0)

  process.kill(first, 'SIGKILL')
  await vi.waitFor(() => {
    const now = workersOf(server)
    expect(now).toHaveLength(2)
    expect(now).not.toContain(first)
  }, 30_000)
  await vi.waitFor(async () => expect((await respondingProcesses()).size).toBe(2), 30_000)
  expect(server.output()).toContain('worker exited; restarting')

  const workers = workersOf(server)
  expect(await server.stop()).toBe(0)
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
