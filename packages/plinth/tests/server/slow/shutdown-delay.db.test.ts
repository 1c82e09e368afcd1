import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { startServer } from '#testing/server/server'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})

afterAll(() => fresh.remove())

test('serves for SHUTDOWN_DELAY_MS after SIGTERM, while it is not ready', async () => {
  const server = await startServer({ ...fresh.settings, SHUTDOWN_DELAY_MS: '600000' })
  const get = (path: string) => fetch(server.url + path)
  const ready = await get('/api/health/ready')
  expect(ready.headers.get('connection')).toBe('keep-alive')
  expect(await ready.text()).toBe('{"status":"ok"}')

  server.child.kill('SIGTERM')
  await server.waitFor(/shutting down/)
  const draining = await get('/api/health/ready')
  expect(draining.status).toBe(503)
  expect(await draining.json()).toMatchObject({
    code: 'unhealthy',
    detail: 'The server is shutting down.',
  })
  // The fast path, the API, a prerendered page and a rendered one.
  for (const path of [
    '/api/health',
    '/api/auth/session',
    '/api/health/live',
    '/start',
    '/sign-in',
  ]) {
    const response = await get(path)
    expect([path, response.status]).toEqual([path, 200])
    expect([path, response.headers.get('connection')]).toEqual([path, 'close'])
    await response.text()
  }

  await vi.waitFor(
    () => {
      server.child.kill('SIGTERM')
      expect(server.child.exitCode).not.toBeNull()
    },
    { timeout: 10_000, interval: 100 },
  )
  expect(await server.exited).toBe(1)
})
