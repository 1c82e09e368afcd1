import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRequestContext, openRequestContext } from '#http/scope'
import { GET } from '@/app/api/[[...path]]/route'

const server = createServer()

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.close()
})

async function send(header = 'x: y') {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write(`GET / HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`)
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  return { client, request, response }
}

/** As Next passes them to a page. */
function headersOf({ headers }: IncomingMessage): Headers {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return new Headers(entries)
}

test('finds the context of the same request', async () => {
  const [first, second] = [await send(), await send()]
  const contexts = [first, second].map(({ request, response }) =>
    openRequestContext(request, response),
  )
  expect(findRequestContext(headersOf(first.request))).toBe(contexts[0])
  expect(findRequestContext(headersOf(second.request))).toBe(contexts[1])
  first.response.end()
  second.response.end()
})

test('keeps only the IP after the client has disconnected', async () => {
  const { client, request, response } = await send()
  const context = openRequestContext(request, response)
  context.userId = 'user-1'
  client.destroy()
  await once(response, 'close')
  expect(findRequestContext(headersOf(request))).toEqual({ remoteIp: '127.0.0.1' })
})

test('overwrites a context header that the caller sent', async () => {
  const first = await send()
  openRequestContext(first.request, first.response)
  const [name = ''] = Object.keys(first.request.headers).filter((key) =>
    key.startsWith('x-plinth-request-'),
  )
  expect(name).not.toBe('')
  const second = await send(`${name}: ${first.request.headers[name]}`)
  const own = openRequestContext(second.request, second.response)
  expect(findRequestContext(headersOf(second.request))).toBe(own)
  first.response.end()
  second.response.end()
})

test('keeps the IP of a request that Next sends to the server again', async () => {
  const first = await send()
  const context = openRequestContext(first.request, first.response)
  context.remoteIp = '203.0.113.7'
  const again = await send(
    Object.entries(first.request.headers)
      .filter(([name]) => name.startsWith('x-plinth-request-'))
      .map((pair) => pair.join(': '))
      .join('\r\n'),
  )
  expect(openRequestContext(again.request, again.response).remoteIp).toBe('203.0.113.7')
  first.response.end()
  again.response.end()
})

test('closes the API inside Next to requests of our own server', async () => {
  const { request, response } = await send()
  openRequestContext(request, response)
  const url = 'http://localhost/api/health/live'
  expect((await GET(new Request(url, { headers: headersOf(request) }))).status).toBe(404)
  expect((await GET(new Request(url))).status).toBe(200)
  response.end()
})

test('finds no context when Next is the host', () => {
  expect(findRequestContext(new Headers())).toBeUndefined()
})
