import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type FreshDatabase, freshDatabase, onPostgres } from '#testing/database/database'
import { authorizeAtProvider } from '#testing/oauth/oauth'
import { allowOrigin, startOAuthServer } from '#testing/oauth/oauth-server'
import { freePort, type Server, startServer } from '#testing/server/server'
import { installed } from '../../support/installed-providers'
import { attributesOf, exportTo, otlpReceiver } from '../../support/otlp-receiver'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})

afterAll(() => fresh.remove())

async function start(settings: Record<string, string>): Promise<Server> {
  const server = await startServer({ ...fresh.settings, ...settings })
  onTestFinished(async () => {
    if (server.child.exitCode === null) await server.stop()
  })
  return server
}

async function receive(port?: number) {
  const receiver = await otlpReceiver(port)
  onTestFinished(() => receiver.close())
  return receiver
}

const live = ({ url }: Server) => fetch(`${url}/api/health/live`)

test('protobuf is the default, with headers from a file, a path and compression', async () => {
  const receiver = await receive()
  const folder = mkdtempSync(join(tmpdir(), 'plinth-headers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'headers')
  writeFileSync(file, 'x-tenant=shop,authorization=Bearer%20abc\n')
  const server = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/collector`,
    OTEL_EXPORTER_OTLP_HEADERS_FILE: file,
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  })
  await live(server)
  const names = () => receiver.spans().map(({ name }) => name)
  await expect.poll(names).toContain('GET /api/health/live')
  expect(receiver.received[0]).toMatchObject({
    path: '/collector/v1/traces',
    headers: {
      'content-type': 'application/x-protobuf',
      'x-tenant': 'shop',
      authorization: 'Bearer abc',
    },
  })
})

test('samples and names the service by the settings; the caller decides first', async () => {
  const receiver = await receive()
  const server = await start({
    ...exportTo(receiver),
    TRUST_PROXY: '1',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
    OTEL_SERVICE_NAME: 'shop',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
  })
  await live(server)
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
  await fetch(`${server.url}/api/health/live`, { headers })
  await server.stop()
  expect(receiver.spans().map((span) => span.traceId)).toEqual([traceId])
  expect(attributesOf(receiver.resources()[0].resource)).toMatchObject({
    'service.name': 'shop',
    'deployment.environment.name': 'staging',
  })
})

test('a shutdown exports what is left, by default in the name of the package', async () => {
  const receiver = await receive()
  const server = await start({ ...exportTo(receiver), OTEL_BSP_SCHEDULE_DELAY: '600000' })
  await live(server)
  expect(receiver.spans()).toEqual([])
  expect(await server.stop()).toBe(0)
  expect(receiver.spans().map(({ name }) => name)).toContain('GET /api/health/live')
  const { name } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(attributesOf(receiver.resources()[0].resource)['service.name']).toBe(name)
})

test('a receiver that is down fails no request and is logged once', async () => {
  const port = await freePort()
  const server = await start({
    ...exportTo({ url: `http://127.0.0.1:${port}` }),
    OTEL_EXPORTER_OTLP_TIMEOUT: '300',
  })
  const failures = () => server.log().filter(({ msg }) => msg === 'traces not exported')
  expect((await live(server)).status).toBe(200)
  await expect.poll(failures, { timeout: 20_000 }).toHaveLength(1)
  expect((await live(server)).status).toBe(200)
  const receiver = await receive(port)
  await expect
    .poll(
      async () => {
        await live(server)
        return server.log().some(({ msg }) => msg === 'traces exported again')
      },
      { timeout: 20_000 },
    )
    .toBe(true)
  expect(receiver.spans().length).toBeGreaterThan(0)
  expect(failures()).toHaveLength(1)
  expect(String(failures()[0]?.reason)).toMatch(/ECONNREFUSED/)
})

test.each(installed)('requests to $id are in the trace of the callback', async (provider) => {
  const receiver = await receive()
  const port = await freePort()
  const url = `http://localhost:${port}`
  allowOrigin(url)
  const issuer = await startOAuthServer(provider)
  onTestFinished(() => issuer.stop())
  issuer.user = { id: '1', email: `${provider.id}@example.org`, verified: true }
  const server = await start({ ...exportTo(receiver), ...issuer.settings, PORT: String(port) })
  const started = await fetch(`${url}/api/auth/signin/${provider.id}`, {
    method: 'POST',
    headers: { accept: 'text/html', origin: url },
    body: new URLSearchParams(),
    redirect: 'manual',
  })
  const callback = await authorizeAtProvider(new URL(started.headers.get('location') ?? ''))
  const cookies = started.headers.getSetCookie().map((line) => line.split(';', 1)[0])
  const headers = { accept: 'text/html', cookie: cookies.join('; ') }
  const signedIn = await fetch(callback, { headers, redirect: 'manual' })
  expect(signedIn.headers.get('set-cookie')).toContain('session-token')
  await server.stop()
  const spans = receiver.spans()
  const request = spans.find(({ name }) => name === 'GET /api/auth/callback/:provider')
  expect(spans.find(({ name }) => name === 'POST 127.0.0.1')).toMatchObject({
    traceId: request?.traceId,
    kind: 3,
  })
})

test('without settings no package of OpenTelemetry is loaded but the one that Next loads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-loaded-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const report = join(folder, 'loaded')
  const preload = join(folder, 'preload.cjs')
  writeFileSync(
    preload,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(report)}, Object.keys(require.cache).join('\\n')))`,
  )
  const loaded = async (settings: Record<string, string>) => {
    const server = await start({ NODE_OPTIONS: `--require=${preload}`, ...settings })
    await fetch(`${server.url}/sign-in`)
    await server.stop()
    const files = readFileSync(report, 'utf8')
    return new Set(
      [...files.matchAll(/node_modules\/(@opentelemetry\/[\w-]+)/g)].map(([, name]) => name),
    )
  }
  const receiver = await receive()
  expect(await loaded(exportTo(receiver))).toContain('@opentelemetry/sdk-trace')
  expect([...(await loaded({}))].filter((name) => name !== '@opentelemetry/api')).toEqual([])
})

if (onPostgres)
  test('every worker exports', async () => {
    const receiver = await receive()
    const server = await start({ ...exportTo(receiver), WEB_CONCURRENCY: '2' })
    const instances = () =>
      new Set(
        receiver.resources().map(({ resource }) => attributesOf(resource)['service.instance.id']),
      )
    await expect
      .poll(
        async () => {
          await fetch(`${server.url}/api/health/live`, { headers: { connection: 'close' } })
          return instances().size
        },
        { timeout: 20_000 },
      )
      .toBe(2)
  })
