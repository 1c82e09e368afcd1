import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAttack } from './run-attack'

test.each([
  'http://192.0.2.1',
  'http://example.com',
  'http://127.0.0.1.example.com:3000',
  'http://127.0.0.1@192.0.2.1',
  'http://0.0.0.0:3000',
])('refuses %s with one line', async (url) => {
  const { code, output } = await runAttack([url])
  expect(code).toBe(1)
  expect(output).toMatch(/^Refused: \S+ is not a loopback address\. .*\n$/)
})

test.each([
  [['--only', 'nothing'], /^Unknown family: nothing\. Available: authorization, .*\n$/],
  [['--frobnicate'], /^Unknown option .*\n$/],
  [['ftp://127.0.0.1'], /^Not a URL: .*\n$/],
  [['http://127.0.0.1:9'], /^No server responds at http:\/\/127\.0\.0\.1:9\.\n$/],
])('rejects %j with one line', async (args, expected) => {
  const { code, output } = await runAttack(args)
  expect(code).toBe(1)
  expect(output).toMatch(expected)
})

describe('a server that redirects to any URL and resolves paths on its own', () => {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text) => {
      body += text
    })
    request.on('end', () => {
      const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
      if (pathname === '/api/health') return response.end('{"status":"ok"}')
      const [, callbackUrl = '/'] = /callbackUrl=([^&]*)/.exec(body) ?? []
      response.writeHead(303, { location: encodeURI(decodeURIComponent(callbackUrl)) }).end('{}')
    })
  })
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  test('is reported as bypassed with the evidence, and the rest as skipped', async () => {
    const { code, output } = await runAttack([url(), '--quick', '--only', 'redirects'])
    expect(code).toBe(1)
    expect(output).toMatch(/^ {2}redirects +7 +\d+ +\d +\d +\d$/m)
    expect(output).toMatch(
      // The cases run concurrently, so any of them can be the first.
      /^BYPASSED: redirects, sign-out\n {2}A link .*\n {2}- ".*evil\.example.*" redirects to .*evil\.example/m,
    )
    expect(output).toContain(
      'Skipped: redirects, sign-in: no viewer account; see --email and --password',
    )
  })

  test('is reported to have another entrance to the API', async () => {
    const { code, output } = await runAttack([url(), '--quick', '--only', 'entrance'])
    expect(code).toBe(1)
    expect(output).toMatch(
      /^BYPASSED: entrance, paths\n[\s\S]*- \/\.\/api\/health reaches the API/m,
    )
  })
})
