import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { type Server, startServer } from '#testing/server/server'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})

afterAll(() => fresh.remove())

/** A request whose body the API has started to read. */
async function startRequest(server: Server) {
  const post = request(`${server.url}/api/health`, { method: 'POST', agent: new Agent() })
  post.setHeader('transfer-encoding', 'chunked')
  post.flushHeaders()
  post.write('{')
  await once(post, 'socket')
  // A response on another connection: the bytes above have arrived too.
  await fetch(`${server.url}/api/health/live`)
  return post
}

function connectTo(server: Server): Promise<string | undefined> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  return once(socket, 'connect').then(
    () => {
      socket.destroy()
      return undefined
    },
    (error) => error.code,
  )
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s drains running requests and accepts no new ones',
  async (signal) => {
    const server = await startServer(fresh.settings)
    const running = await startRequest(server)
    const idle = new Agent({ keepAlive: true })
    const first = request(`${server.url}/api/health`, { agent: idle }).end()
    const [idleResponse] = (await once(first, 'response')) as [IncomingMessage]
    idleResponse.resume()

    server.child.kill(signal)
    await server.waitFor(/shutting down/)
    await vi.waitFor(async () => expect(await connectTo(server)).toBe('ECONNREFUSED'), 5_000)
    running.end('}')
    const [response] = (await once(running, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(405)
    expect(response.headers.connection).toBe('close')
    response.resume()
    expect(await server.exited).toBe(0)
  },
)

test('cuts off a request that does not finish within ten seconds', {
  timeout: 60_000,
}, async () => {
  const server = await startServer(fresh.settings)
  const running = await startRequest(server)
  const cut = once(running, 'error')
  const stoppedAt = performance.now()
  expect(await server.stop()).toBe(0)
  expect(performance.now() - stoppedAt).toBeGreaterThan(9_000)
  await cut
})
