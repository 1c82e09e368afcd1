import { execFileSync } from 'node:child_process'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { freshDatabase, type Place } from '../support/database'
import { launchServer, type Server, startServer } from '../support/server'

vi.setConfig({ testTimeout: 120_000 })

let place: Place
let server: Server

beforeAll(async () => {
  place = await freshDatabase()
  return () => place.remove()
})

afterEach(async () => {
  await server.stop('SIGKILL')
})

const workersOf = ({ pid }: Server) => {
  const list = execFileSync('sh', ['-c', `ps -o pid= --ppid ${pid} || true`]).toString()
  return list.split('\n').map(Number).filter(Boolean)
}

/** Ids begin with what is one process's own; each question comes over a connection of its own. */
async function processesThatAnswer(): Promise<Set<string>> {
  const ids = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const response = await fetch(`${server.url}/api/health`, { headers: { connection: 'close' } })
      expect(response.status).toBe(200)
      return response.headers.get('x-request-id')?.split('-')[0] ?? ''
    }),
  )
  return new Set(ids)
}

test('so many processes answer, one that dies is replaced, and all stop together', async () => {
  server = await startServer({ ...place.settings, WEB_CONCURRENCY: '2' })
  await vi.waitFor(async () => expect((await processesThatAnswer()).size).toBe(2), 30_000)
  const [first = 0, second = 0] = workersOf(server)
  expect(second).toBeGreaterThan(0)

  process.kill(first, 'SIGKILL')
  await vi.waitFor(() => {
    const now = workersOf(server)
    expect(now).toHaveLength(2)
    expect(now).not.toContain(first)
  }, 30_000)
  await vi.waitFor(async () => expect((await processesThatAnswer()).size).toBe(2), 30_000)
  expect(server.output()).toContain('a worker died; starting another')

  const workers = workersOf(server)
  expect(await server.stop()).toBe(0)
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('a setting that is wrong for the workers ends the whole, with one line', async () => {
  server = launchServer({
    ...place.settings,
    DATABASE_URL: `${place.settings.DATABASE_URL}_not_there`,
    WEB_CONCURRENCY: '2',
  })
  expect(await server.ended).toBe(1)
  expect(server.output()).toContain('DATABASE_URL: the database cannot be used')
})

test('the embedded database has one process', async () => {
  server = launchServer({ DATABASE_URL: '', WEB_CONCURRENCY: '2' })
  expect(await server.ended).toBe(1)
  expect(server.output()).toContain('WEB_CONCURRENCY needs DATABASE_URL')
})
