import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { builtActions } from '#testing/server/call-action'
import { type Server, startServer } from '#testing/server/server'
import { exportTo, type OtlpReceiver, otlpReceiver } from '../../support/otlp-receiver'

let fresh: FreshDatabase
let receiver: OtlpReceiver
let server: Server

beforeAll(async () => {
  fresh = await freshDatabase()
  receiver = await otlpReceiver()
  server = await startServer({
    DATABASE_TIMEOUT_MS: '20000',
    ...fresh.settings,
    ...exportTo(receiver),
  })
})

afterAll(async () => {
  await server?.stop()
  await receiver?.close()
  await fresh?.remove()
})

const traceId = '0af7651916cd43dd8448eb211c80319c'
const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, tracestate: 'vendor=value' }
const spansNamed = (name: string) => receiver.spans().filter((span) => span.name === name)

test.each([
  ['/api/health/live', 'GET /api/health/live'],
  ['/forgot', 'GET /forgot'],
])('without TRUST_PROXY, %s does not continue the trace of its caller', async (path, name) => {
  await fetch(server.url + path, { headers })
  await expect.poll(() => spansNamed(name).length, { timeout: 20_000 }).toBeGreaterThan(0)
  expect(receiver.spans().map((span) => span.traceId)).not.toContain(traceId)
})

test('an action that Next sends to its page again is one trace', async () => {
  const { id = '' } = builtActions().get('requestPasswordReset') ?? {}
  const response = await fetch(`${server.url}/sign-in`, {
    method: 'POST',
    body: JSON.stringify([{ email: 'traced@example.com' }]),
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'next-action': id, ...headers },
  })
  expect(response.status).toBe(200)
  await response.text()
  const found = () => [
    ...spansNamed('POST /sign-in'),
    // In the request that Next sent.
    ...spansNamed('guard request_reset_password'),
  ]
  await expect.poll(() => found().length, { timeout: 20_000 }).toBe(2)
  const [received, guard] = found()
  expect(guard?.traceId).toBe(received?.traceId)
  expect(received?.traceId).not.toBe(traceId)
})
