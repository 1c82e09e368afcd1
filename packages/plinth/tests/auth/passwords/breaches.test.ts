import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { passwordError } from '#auth/passwords/new-password'
import { env } from '#config/env'

const breached = 'correct horse battery'
const other = 'unrelated staple words'
const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()

const requests: { url: string | undefined; padding: unknown }[] = []
let respond: RequestListener
const server = createServer((request, response) => {
  requests.push({ url: request.url, padding: request.headers['add-padding'] })
  respond(request, response)
})

/** As the real service: the suffixes of all hashes with the prefix, and padding. */
const knows =
  (password: string, count = 3): RequestListener =>
  (_request, response) => {
    const lines = [`${'0'.repeat(35)}:0`, `${hashOf(password).slice(5)}:${count}`]
    response.end(lines.join('\r\n'))
  }

const defaults = { ...env() }

beforeEach(async () => {
  requests.length = 0
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const PASSWORD_BREACH_URL = `http://127.0.0.1:${port}`
  Object.assign(env(), { PASSWORD_BREACH_CHECK: 'on', PASSWORD_BREACH_URL })
})

afterEach(async () => {
  Object.assign(env(), defaults)
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const check = (password: string) => passwordError(password, { email: 'ada@example.com' })

test('refuses a password that is in a breach, and accepts another one', async () => {
  respond = knows(breached)
  expect(await check(breached)).toMatch(/data breach/)
  expect(await check(other)).toBeUndefined()
})

test('sends five characters of the hash and asks for padding', async () => {
  respond = knows(breached)
  await check(breached)
  expect(requests).toEqual([{ url: `/range/${hashOf(breached).slice(0, 5)}`, padding: 'true' }])
})

test('a suffix that is padding is not in a breach', async () => {
  respond = knows(breached, 0)
  expect(await check(breached)).toBeUndefined()
})

test('is off by default', async () => {
  env().PASSWORD_BREACH_CHECK = defaults.PASSWORD_BREACH_CHECK
  respond = knows(breached)
  expect(await check(breached)).toBeUndefined()
  expect(requests).toEqual([])
})

test('does not ask about a password that is refused anyway', async () => {
  expect(await check('password12')).toMatch(/too easy/)
  expect(requests).toEqual([])
})

describe('accepts the password if the service', () => {
  const cases: Record<string, RequestListener> = {
    fails: (_request, response) => response.writeHead(503).end(),
    'sends something else': (_request, response) => response.end('<html>'),
    redirects: (_request, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    'closes the connection': (request) => request.socket.destroy(),
    'says nothing for a second': () => {},
    'sends more than it should': (request, response) => {
      const line = `${'1'.repeat(35)}:1\r\n`.repeat(10_000)
      response.on('error', () => {})
      response.write(line)
      knows(breached)(request, response)
    },
  }
  test.each(Object.entries(cases))('%s', async (_name, listener) => {
    respond = listener
    expect(await check(breached)).toBeUndefined()
    expect(requests).toHaveLength(1)
  })

  test('is unavailable', async () => {
    env().PASSWORD_BREACH_URL = 'http://127.0.0.1:9'
    expect(await check(breached)).toBeUndefined()
  })
})
