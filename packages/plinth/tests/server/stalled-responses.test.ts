import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { httpServer, listen } from '#server/http-server'
import { drain } from '#server/lifecycle'

test('closes a connection whose client reads nothing, and no other', async () => {
  const body = Buffer.alloc(64 * 1024 * 1024)
  const responses = new Map<string | undefined, ServerResponse>()
  const server = httpServer((incoming: IncomingMessage, response) => {
    responses.set(incoming.url, response)
    if (incoming.url !== '/computed') response.end(body)
  }, 900)
  await listen(server, 0, '127.0.0.1')

  async function get(path: string) {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    await once(server, 'request')
    return socket
  }
  const computed = await get('/computed')
  const slow = await get('/slow')
  const never = await get('/never')
  let isCut = false
  responses.get('/never')?.once('close', () => {
    isCut = true
  })

  let received = 0
  for await (const chunk of slow) {
    received += chunk.length
    if (!isCut) await sleep(2)
  }
  expect(received).toBeGreaterThan(body.length)
  expect(isCut).toBe(true)

  responses.get('/computed')?.end('done')
  expect(String((await once(computed, 'data'))[0])).toMatch(/^HTTP\/1.1 200 [\s\S]*done/)
  never.destroy()
  await drain(server, {})
})
