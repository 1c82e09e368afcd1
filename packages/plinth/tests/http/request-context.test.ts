import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRequestContext, requestContext, runInContext } from '#http/request-context'
import { GET } from '@/app/api/[[...path]]/route'

const server = createServer()

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.close()
})

async function send({ header = 'x: y', method = 'POST' } = {}) {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write(`${method} / HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`)
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  return { client, request, response }
}

/** The header by which Next's own request leads to the first. */
const sentAgain = ({ headers }: IncomingMessage) =>
  Object.entries(headers)
    .filter(([name]) => name.startsWith('x-plinth-request-'))
    .map((pair) => pair.join(': '))
    .join('\r\n')

test.each(['GET', 'POST'])('finds the context of the %s that is being handled', async (method) => {
  const { request, response } = await send({ method })
  const context = openRequestContext(request, response)
  const found = await runInContext(context, async () => {
    await new Promise(setImmediate)
    return requestContext()
  })
  expect(found).toBe(context)
  expect(requestContext()).toBeUndefined()
  response.end()
})

test('only a request that Next may send again has the header', async () => {
  const page = await send({ method: 'GET' })
  openRequestContext(page.request, page.response)
  expect(sentAgain(page.request)).toBe('')
  page.response.end()
})

test('keeps only the IP after the client has disconnected', async () => {
  const { client, request, response } = await send()
  openRequestContext(request, response).userId = 'user-1'
  const header = sentAgain(request)
  client.destroy()
  await once(response, 'close')
  const again = await send({ header })
  expect(openRequestContext(again.request, again.response).original).toEqual({
    remoteIp: '127.0.0.1',
  })
  again.response.end()
})

test('takes the header of a request that Next sends again, and gives it one of its own', async () => {
  const first = await send()
  const original = openRequestContext(first.request, first.response)
  const header = sentAgain(first.request)
  const page = await send({ header, method: 'GET' })
  expect(openRequestContext(page.request, page.response).original).toBe(original)
  expect(sentAgain(page.request)).toBe('')
  const action = await send({ header })
  expect(openRequestContext(action.request, action.response).original).toBe(original)
  expect(sentAgain(action.request)).not.toBe(header)
  for (const { response } of [first, page, action]) response.end()
})

test('keeps the IP of a request that Next sends to the server again', async () => {
  const first = await send()
  openRequestContext(first.request, first.response).remoteIp = '203.0.113.7'
  const again = await send({ header: sentAgain(first.request) })
  expect(openRequestContext(again.request, again.response).remoteIp).toBe('203.0.113.7')
  first.response.end()
  again.response.end()
})

test('closes the API inside Next to requests of our own server', async () => {
  const request = new Request('http://localhost/api/health/live')
  const inContext = runInContext({ remoteIp: '127.0.0.1' }, () => GET(request.clone()))
  expect((await inContext).status).toBe(404)
  expect((await GET(request)).status).toBe(200)
})
