import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freshDatabase, onPostgres, type Place } from '../../support/database'
import { askDoctor as ask } from '../../support/doctor'
import { freePort, type Server, startServer } from '../../support/server'
import { startTlsProxy, type TlsProxy } from '../../support/tls-proxy'

vi.setConfig({ testTimeout: 60_000 })

const settings = { AUTH_SECRET: randomBytes(32).toString('base64'), TRUST_PROXY: '1' }

let place: Place

const askDoctor = (more: Record<string, string> = {}, words: string[] = []) =>
  ask({ settings: { ...place.settings, ...settings, ...more }, words })

beforeAll(async () => {
  place = await freshDatabase()
})
afterAll(() => place.remove())

describe('on this machine', () => {
  let server: Server

  beforeAll(async () => {
    const port = await freePort()
    const AUTH_URL = `http://localhost:${port}`
    server = await startServer({ ...place.settings, ...settings, AUTH_URL, PORT: String(port) })
  })
  afterAll(() => server.stop())

  test('all is well', async () => {
    const AUTH_URL = server.url.replace('127.0.0.1', 'localhost')
    const { wrong, findings } = await askDoctor({ AUTH_URL })
    expect(wrong('running')).toEqual([])
    expect(findings.filter(({ check }) => check === 'running')).toHaveLength(2)
  })

  test('asked by another name, it says which it goes by', async () => {
    const { code, wrong } = await askDoctor({}, ['--url', server.url])
    const own = server.url.replace('127.0.0.1', 'localhost')
    expect(wrong('running')).toEqual([
      `error: The installation at ${server.url} takes itself for ${own}.`,
    ])
    expect(code).toBe(1)
  })

  test('the embedded database stays with whoever holds it', async () => {
    const { wrong } = await askDoctor()
    if (onPostgres) return expect(wrong('database')).toEqual([])
    const lock = join(place.settings.DATA_DIR ?? '', 'lock.json')
    expect(wrong('database')).toEqual([
      `warning: The embedded database is in use by process ${server.pid}. Accounts, migrations and the clock were not looked at.`,
    ])
    expect(JSON.parse(readFileSync(lock, 'utf8')).pid).toBe(server.pid)
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
  })
})

describe('behind a proxy that speaks https', () => {
  let server: Server
  let proxy: TlsProxy
  let folder: string
  let published: Record<string, string>

  beforeAll(async () => {
    const port = await freePort()
    const AUTH_URL = `https://127.0.0.1:${port}`
    server = await startServer({ ...place.settings, ...settings, AUTH_URL })
    proxy = await startTlsProxy(port, server.url)
    folder = mkdtempSync(join(tmpdir(), 'plinth-doctor-'))
    const NODE_EXTRA_CA_CERTS = join(folder, 'cert.pem')
    writeFileSync(NODE_EXTRA_CA_CERTS, proxy.cert)
    published = { AUTH_URL, NODE_EXTRA_CA_CERTS }
  })
  afterAll(async () => {
    await proxy.stop()
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  test('all is well', async () => {
    const { wrong, findings } = await askDoctor(published)
    expect(wrong('running')).toEqual([])
    expect(findings.filter(({ check }) => check === 'running')).toHaveLength(3)
  })

  test('a certificate that browsers refuse', async () => {
    const { NODE_EXTRA_CA_CERTS, ...untrusting } = published
    const { wrong } = await askDoctor(untrusting)
    expect(wrong('running')).toEqual([expect.stringMatching(/^error: The certificate of .*_CERT/)])
  })

  test('a proxy that leaves headers out and takes cookies apart', async () => {
    proxy.change = ({
      'strict-transport-security': _,
      'set-cookie': cookies = [],
      ...headers
    }) => ({
      ...headers,
      'set-cookie': cookies.map((line) =>
        line.replace(/; (Secure|HttpOnly)/g, '').replace('SameSite=Lax', 'SameSite=None'),
      ),
    })
    const { wrong } = await askDoctor(published)
    proxy.change = (headers) => headers
    const cookies = ['__Host-authjs.csrf-token', '__Host-authjs.session-token']
    const faults = ['can be read by scripts', 'is sent over http too', 'is not SameSite=lax']
    const expected = cookies.flatMap((name) => faults.map((fault) => `The cookie ${name} ${fault}`))
    expect(wrong('running')).toEqual([
      ...expected.map((text) => expect.stringContaining(`error: ${text}`)),
      'warning: Browsers are not told to come by https alone.',
    ])
  })

  test('an address that the product does not know', async () => {
    const { wrong } = await askDoctor(published, ['--url', server.url])
    expect(wrong('running')[0]).toBe(
      `error: The installation at ${server.url} takes itself for ${published.AUTH_URL}.`,
    )
    expect(wrong('running')[1]).toContain('The cookie authjs.csrf-token is not set under that name')
  })
})

describe('something else', () => {
  async function withServer(answer: RequestListener): Promise<string[]> {
    const server = createServer(answer)
    const port = await freePort()
    await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
    const AUTH_URL = `http://127.0.0.1:${port}`
    const { wrong } = await askDoctor({ AUTH_URL })
    server.close()
    return wrong('running').map((text) => text.replaceAll(AUTH_URL, 'URL'))
  }

  test('answers', async () => {
    const hello = await withServer((_, response) => response.end('hello'))
    expect(hello).toEqual(['error: Something else answers at URL.'])
    const likeness = await withServer((_, response) => response.end('{"status":"ok"}'))
    expect(likeness[0]).toBe('error: Something else answers at URL.')
  })

  test('sends people on', async () => {
    const location = 'https://www.example.com/api/health'
    const sent = await withServer((_, response) => response.writeHead(308, { location }).end())
    expect(sent).toEqual(['error: URL sends people on to https://www.example.com.'])
  })

  test('or nothing does', async () => {
    const AUTH_URL = `http://127.0.0.1:${await freePort()}`
    const { code, wrong } = await askDoctor({ AUTH_URL })
    expect(wrong('running')).toEqual([
      `warning: Nothing answers at ${AUTH_URL} (ECONNREFUSED), so it was not asked.`,
    ])
    expect(code).toBe(0)
  })
})
