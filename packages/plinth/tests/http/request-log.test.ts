import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import { env } from '#config/env'
import type { ApiEnvironment } from '#http/api-context'
import { logDestination } from '#log/log'

let written = ''

beforeAll(() => {
  env().LOG_LEVEL = 'info'
  logDestination.set({
    write(text) {
      written += text
    },
  })
})

async function linesOf(api: Hono<ApiEnvironment>, path: string) {
  const { flushRequestLog } = await import('#http/request-log')
  written = ''
  await api.request(path)
  flushRequestLog()
  return written
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

async function apiWith(path: string, status: 200 | 500 | 503) {
  const { requestId } = await import('#api/middleware')
  const { requestLog } = await import('#api/middleware')
  return new Hono<ApiEnvironment>().use(requestId, requestLog).get(path, (c) => {
    c.set('userId', '8e8f9a0e-1111-4222-8333-444444444444')
    return c.json({}, status)
  })
}

test('logs the user and the route pattern, not the URL', async () => {
  const api = await apiWith('/users/:id', 200)
  const [line, ...more] = await linesOf(api, '/users/7?token=secret')
  expect(more).toEqual([])
  expect(line).toMatchObject({
    level: 'info',
    msg: 'request',
    method: 'GET',
    route: '/users/:id',
    status: 200,
    userId: '8e8f9a0e-1111-4222-8333-444444444444',
  })
  expect(line.requestId).toMatch(/^[0-9a-f]{18}-\d+$/)
  expect(Math.abs(line.time - Date.now())).toBeLessThan(5000)
  expect(line.milliseconds).toBeGreaterThanOrEqual(0)
})

test('logs a server error with level error, and an unavailable service with level warn', async () => {
  const [failed] = await linesOf(await apiWith('/failed', 500), '/failed')
  expect(failed).toMatchObject({ level: 'error', status: 500 })
  const [unavailable] = await linesOf(await apiWith('/unavailable', 503), '/unavailable')
  expect(unavailable).toMatchObject({ level: 'warn', status: 503 })
})
