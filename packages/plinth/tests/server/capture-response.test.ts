import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { captureResponse } from '#server/pages/render-cache'

async function fetchFrom(listener: RequestListener): Promise<Response> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const body = await response.arrayBuffer()
  server.close()
  return new Response(body, response)
}

test('collects what is written and lets the caller send it', async () => {
  const response = await fetchFrom((_, response) => {
    captureResponse(response, (body) => response.end(body.toString().toUpperCase()))
    response.setHeader('x-kind', 'page')
    response.write('one, ')
    response.writeHead(200)
    response.write(Buffer.from('two, '), () => response.end('746872656521', 'hex'))
  })
  expect(response.headers.get('x-kind')).toBe('page')
  expect(await response.text()).toBe('ONE, TWO, THREE!')
})

test('an error page replaces what was written before', async () => {
  const response = await fetchFrom((_, response) => {
    captureResponse(response, (body) => response.end(body))
    response.write('half a page')
    response.writeHead(503, { 'content-type': 'text/plain', 'content-length': 4 }).end('down')
  })
  expect(response.status).toBe(503)
  expect(response.headers.get('content-type')).toBe('text/plain')
  expect(await response.text()).toBe('down')
})
