import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findVisit, openVisit } from '@/core/http/page-visit'

const server = createServer()

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.close()
})

async function ask(header = 'x: y') {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write(`GET / HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`)
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  return { client, request, response }
}

/** As a page of Next sees them. */
function headersOf({ headers }: IncomingMessage): Headers {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return new Headers(entries)
}

test('a page finds its own visit, and no other', async () => {
  const [one, other] = [await ask(), await ask()]
  const visits = [one, other].map(({ request, response }) => openVisit(request, response))
  expect(findVisit(headersOf(one.request))).toBe(visits[0])
  expect(findVisit(headersOf(other.request))).toBe(visits[1])
  one.response.end()
  other.response.end()
})

test('who has left is not forgotten for what still runs, but nothing else is kept', async () => {
  const { client, request, response } = await ask()
  const visit = openVisit(request, response)
  visit.userId = 'somebody'
  client.destroy()
  await once(response, 'close')
  expect(findVisit(headersOf(request))).toEqual({ address: '127.0.0.1' })
})

test('a caller cannot name a visit: the host writes over what they send', async () => {
  const first = await ask()
  openVisit(first.request, first.response)
  const [name = ''] = Object.keys(first.request.headers).filter((key) => key.includes('visit'))
  const claimed = `${name}: ${first.request.headers[name]}`
  const second = await ask(claimed)
  const own = openVisit(second.request, second.response)
  expect(findVisit(headersOf(second.request))).toBe(own)
  first.response.end()
  second.response.end()
})

test('without a host there is no visit', () => {
  expect(findVisit(new Headers())).toBeUndefined()
})
