import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type Place } from '../support/database'
import { type Server, startServer } from '../support/server'

let place: Place

beforeAll(async () => {
  place = await freshDatabase()
})

afterAll(() => place.remove())

/** A request that the interface has begun to read and that goes on until it is ended. */
async function begin(server: Server) {
  const post = request(`${server.url}/api/health`, { method: 'POST', agent: new Agent() })
  post.setHeader('transfer-encoding', 'chunked')
  post.flushHeaders()
  post.write('{')
  await once(post, 'socket')
  // Answered on another connection, so the bytes above have arrived as well.
  await fetch(`${server.url}/api/health/live`)
  return post
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s: what runs is finished, nothing new is taken',
  async (signal) => {
    const server = await startServer(place.settings)
    const running = await begin(server)
    const idle = new Agent({ keepAlive: true })
    const asked = request(`${server.url}/api/health`, { agent: idle }).end()
    const [first] = (await once(asked, 'response')) as [IncomingMessage]
    first.resume()

    server.child.kill(signal)
    await server.waitFor(/finishing what runs/)
    await expect(fetch(`${server.url}/api/health`)).rejects.toThrow()
    running.end('}')
    const [response] = (await once(running, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(405)
    response.resume()
    expect(await server.ended).toBe(0)
  },
)

test('a request that never ends is cut off after ten seconds', { timeout: 60_000 }, async () => {
  const server = await startServer(place.settings)
  const running = await begin(server)
  const cut = once(running, 'error')
  const asked = performance.now()
  expect(await server.stop()).toBe(0)
  expect(performance.now() - asked).toBeGreaterThan(9_000)
  await cut
})
