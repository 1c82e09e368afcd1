import { EventEmitter, once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { ProviderUnavailable, providerFetch } from '#auth/oauth/provider-fetch'
import { freePort } from '#testing/server/server'

test.each([
  'http://192.0.2.1/token',
  'http://localhost.evil.example/',
  'http://127.0.0.1.evil.example/',
])('sends nothing over http to another machine: %s', async (url) => {
  await expect(providerFetch(url)).rejects.toThrow('is not https')
  await expect(providerFetch(new Request(url))).rejects.toThrow('is not https')
})

test('throws ProviderUnavailable if the provider does not respond', async () => {
  const url = `http://127.0.0.1:${await freePort()}/token`
  await expect(providerFetch(new URL(url))).rejects.toThrow(ProviderUnavailable)
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('returns a response of up to 64 KiB', async () => {
  const text = 'x'.repeat(64 * 1024)
  const plain = await serve((_, response) => response.writeHead(201, { 'x-own': 'y' }).end(text))
  const response = await providerFetch(plain)
  expect([response.status, response.headers.get('x-own')]).toEqual([201, 'y'])
  expect(await response.text()).toBe(text)
  const zipped = await serve((_, response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync('{"a":1}')),
  )
  expect(await (await providerFetch(zipped)).json()).toEqual({ a: 1 })
  const empty = await serve((_, response) => response.writeHead(204).end())
  expect((await providerFetch(empty)).status).toBe(204)
})

test('stops reading a response that does not end', async () => {
  let sent = 0
  const closed = new EventEmitter()
  const whenClosed = once(closed, 'closed')
  const send = (response: ServerResponse) => {
    while (!response.closed && response.write(Buffer.alloc(16 * 1024))) sent += 16 * 1024
  }
  const url = await serve((_, response) => {
    response.on('drain', () => send(response)).on('close', () => closed.emit('closed'))
    send(response)
  })
  await expect(providerFetch(url)).rejects.toThrow(ProviderUnavailable)
  await whenClosed
  expect(sent).toBeLessThan(16 * 1024 * 1024)
})

test('rejects a small response that is large when decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024))
  const url = await serve((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb))
  await expect(providerFetch(url)).rejects.toThrow(ProviderUnavailable)
})

test('stops waiting for the rest of a response at the timeout', async () => {
  const timeout = new AbortController()
  const closed = new EventEmitter()
  const whenClosed = once(closed, 'closed')
  const url = await serve((_, response) => {
    response.on('close', () => closed.emit('closed')).writeHead(200)
    response.write('{', () => setImmediate(() => timeout.abort()))
  })
  await expect(providerFetch(url, { signal: timeout.signal })).rejects.toThrow(ProviderUnavailable)
  await whenClosed
})

test('follows no redirect', async () => {
  const paths: (string | undefined)[] = []
  const url = await serve((request, response) => {
    paths.push(request.url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  expect((await providerFetch(url, { method: 'POST', redirect: 'follow' })).status).toBe(307)
  expect(paths).toEqual(['/'])
})
