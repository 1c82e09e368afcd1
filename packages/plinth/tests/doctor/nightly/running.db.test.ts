import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase, onPostgres } from '#testing/database/database'
import { freePort, type Server, startServer } from '#testing/server/server'
import { runDoctor as run } from '../../support/doctor'
import { startTlsProxy, type TlsProxy } from '../../support/tls-proxy'

const settings = { AUTH_SECRET: randomBytes(32).toString('base64'), TRUST_PROXY: '1' }

let fresh: FreshDatabase

const runDoctor = (more: Record<string, string> = {}, args: string[] = []) =>
  run({ settings: { ...fresh.settings, ...settings, ...more }, args })

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.remove())

describe('on this machine', () => {
  let server: Server
  let metricsPort: string

  beforeAll(async () => {
    const port = await freePort()
    const AUTH_URL = `http://localhost:${port}`
    metricsPort = String(await freePort())
    const ports = { PORT: String(port), METRICS_PORT: metricsPort }
    server = await startServer({ ...fresh.settings, ...settings, AUTH_URL, ...ports })
  })
  afterAll(() => server.stop())

  test('finds the metrics on their own port', async () => {
    const { findings } = await runDoctor({ METRICS_PORT: metricsPort })
    expect(findings).toContainEqual({
      level: 'ok',
      check: 'metrics',
      message: `They are served at http://127.0.0.1:${metricsPort}/metrics.`,
    })
    // As a proxy that leads to the wrong port.
    const open = `http://127.0.0.1:${metricsPort}`
    const { code, issues } = await runDoctor({ METRICS_PORT: metricsPort }, ['--url', open])
    expect(issues('metrics')).toEqual([`error: Anyone can read the metrics at ${open}/metrics.`])
    expect(code).toBe(1)
  })

  test('reports no issue', async () => {
    const AUTH_URL = server.url.replace('127.0.0.1', 'localhost')
    const { issues, findings } = await runDoctor({ AUTH_URL })
    expect(issues('running')).toEqual([])
    expect(findings.filter(({ check }) => check === 'running')).toHaveLength(2)
  })

  test('reports a URL that differs from AUTH_URL', async () => {
    const { code, issues } = await runDoctor({}, ['--url', server.url])
    const own = server.url.replace('127.0.0.1', 'localhost')
    expect(issues('running')).toEqual([`error: The app at ${server.url} has AUTH_URL=${own}.`])
    expect(code).toBe(1)
  })

  test('does not open an embedded database that is in use', async () => {
    const { issues } = await runDoctor()
    if (onPostgres) return expect(issues('database')).toEqual([])
    const lock = join(fresh.settings.DATA_DIR ?? '', 'lock.json')
    expect(issues('database')).toEqual([
      `warning: The embedded database is in use by process ${server.pid}. Accounts, migrations and the clock were not checked.`,
    ])
    expect(JSON.parse(readFileSync(lock, 'utf8')).pid).toBe(server.pid)
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
  })
})

describe('behind an https proxy', () => {
  let server: Server
  let proxy: TlsProxy
  let folder: string
  let published: Record<string, string>

  beforeAll(async () => {
    const port = await freePort()
    const AUTH_URL = `https://127.0.0.1:${port}`
    server = await startServer({ ...fresh.settings, ...settings, AUTH_URL })
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

  test('reports no issue', async () => {
    const { issues, findings } = await runDoctor(published)
    expect(issues('running')).toEqual([])
    expect(findings.filter(({ check }) => check === 'running')).toHaveLength(3)
  })

  test('reports an untrusted certificate', async () => {
    const { NODE_EXTRA_CA_CERTS, ...untrusted } = published
    const { issues } = await runDoctor(untrusted)
    expect(issues('running')).toEqual([
      expect.stringMatching(/^error: The certificate of .*is invalid \(.*_CERT/),
    ])
  })

  test('reports a proxy that changes headers and cookies', async () => {
    proxy.rewriteHeaders = ({
      'strict-transport-security': _,
      'set-cookie': cookies = [],
      ...headers
    }) => ({
      ...headers,
      'set-cookie': cookies.map((line) =>
        line.replace(/; (Secure|HttpOnly)/g, '').replace('SameSite=Lax', 'SameSite=None'),
      ),
    })
    const { issues } = await runDoctor(published)
    proxy.rewriteHeaders = (headers) => headers
    const cookies = ['__Host-authjs.csrf-token', '__Host-authjs.session-token']
    const faults = ['can be read by scripts', 'is also sent over http', 'is not SameSite=lax']
    const expected = cookies.flatMap((name) => faults.map((fault) => `The cookie ${name} ${fault}`))
    expect(issues('running')).toEqual([
      ...expected.map((text) => expect.stringContaining(`error: ${text}`)),
      'warning: HSTS is off.',
    ])
  })

  test('reports a URL that bypasses the proxy', async () => {
    const { issues } = await runDoctor(published, ['--url', server.url])
    expect(issues('running')[0]).toBe(
      `error: The app at ${server.url} has AUTH_URL=${published.AUTH_URL}.`,
    )
    expect(issues('running')[1]).toContain('The cookie authjs.csrf-token is not set')
  })
})

describe('at the URL of another server', () => {
  async function withServer(listener: RequestListener): Promise<string[]> {
    const server = createServer(listener)
    const port = await freePort()
    await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
    const AUTH_URL = `http://127.0.0.1:${port}`
    const { issues } = await runDoctor({ AUTH_URL })
    server.close()
    return issues('running').map((text) => text.replaceAll(AUTH_URL, 'URL'))
  }

  test('reports that it is not this app', async () => {
    const hello = await withServer((_, response) => response.end('hello'))
    expect(hello).toEqual(['error: URL responds, but it is not this app.'])
    const lookalike = await withServer((_, response) => response.end('{"status":"ok"}'))
    expect(lookalike[0]).toBe('error: URL responds, but it is not this app.')
  })

  test('reports a redirect to another origin', async () => {
    const location = 'https://www.example.com/api/health'
    const redirected = await withServer((_, response) =>
      response.writeHead(308, { location }).end(),
    )
    expect(redirected).toEqual(['error: URL redirects to https://www.example.com.'])
  })

  test('warns if nothing responds', async () => {
    const AUTH_URL = `http://127.0.0.1:${await freePort()}`
    const { code, issues } = await runDoctor({ AUTH_URL })
    expect(issues('running')).toEqual([
      `warning: ${AUTH_URL} does not respond (ECONNREFUSED), so it was not checked.`,
    ])
    expect(code).toBe(0)
  })
})
