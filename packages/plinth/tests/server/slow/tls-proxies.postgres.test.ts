import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as sendTls } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connection } from '#db/client'
import { auditEvents } from '#db/schema'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { builtActions } from '#testing/server/call-action'
import { freePort, type Server, startServer } from '#testing/server/server'
import { createCertificate } from '../../support/certificate'
import { findHaproxy, startHaproxy } from '../../support/services/haproxy.mjs'
import { findNginx, startNginx } from '../../support/services/nginx.mjs'

const document = readFileSync('packages/plinth/docs/deploying.md', 'utf8')
const { cert, key } = createCertificate()
const { id, path: ownPage } = builtActions().get('requestPasswordReset') ?? { id: '', path: '' }

let fresh: FreshDatabase
let connection: Connection
let folder: string
const files = { crt: '', key: '', pem: '' }

beforeAll(async () => {
  fresh = await freshDatabase()
  connection = await openFresh(fresh)
  folder = await mkdtemp(join(tmpdir(), 'plinth-tls-'))
  for (const [name, content] of Object.entries({ crt: cert, key, pem: cert + key })) {
    files[name as keyof typeof files] = join(folder, `app.${name}`)
    await writeFile(join(folder, `app.${name}`), content)
  }
})

afterAll(async () => {
  await connection?.close()
  await fresh?.remove()
  await rm(folder, { recursive: true, force: true })
})

/** How often the action ran. */
const runs = () =>
  connection.database.$count(auditEvents, eq(auditEvents.action, 'request_reset_password'))

const blocks = (language: string) =>
  [...document.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(
    ([, block = '']) => block,
  )

/** The configuration of the document with TLS, and with the ports and the certificate of this test. */
function documented(language: string, line: string, port: number, target: number): string {
  const [configuration = '', tls = ''] = blocks(language)
  expect(configuration).toContain(line)
  return configuration
    .replace(line, tls)
    .replace(/^.*127\.0\.0\.1:3002.*$/m, '')
    .replace('127.0.0.1:3001', `127.0.0.1:${target}`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('bind :443', `bind 127.0.0.1:${port}`)
    .replace(/\/etc\/ssl\/app\.(crt|key|pem)/g, (_, name: keyof typeof files) => files[name])
}

type Sent = { path: string; body: string | FormData; headers: Record<string, string> }

/** As a browser sends it to the public URL. */
async function post(url: string, { path, body, headers }: Sent) {
  const encoded = new Response(body)
  const type = encoded.headers.get('content-type') ?? ''
  const request = sendTls(url + path, {
    method: 'POST',
    ca: cert,
    headers: { 'content-type': type, origin: url, 'sec-fetch-site': 'same-origin', ...headers },
  })
  request.end(Buffer.from(await encoded.arrayBuffer()))
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    request.once('error', reject)
    request.once('response', async (response) =>
      resolve({ status: response.statusCode, text: await text(response) }),
    )
  })
}

const proxies = [
  {
    name: 'nginx',
    program: process.env.TEST_NGINX ?? findNginx(),
    start: startNginx,
    settings: ['nginx', 'listen 80;'],
  },
  {
    name: 'HAProxy',
    program: process.env.TEST_HAPROXY ?? findHaproxy(),
    start: startHaproxy,
    settings: ['haproxy', 'bind :80'],
  },
] as const

for (const { name, program, start, settings } of proxies) {
  describe.skipIf(!program)(`behind ${name} with TLS`, () => {
    let server: Server
    let proxy: Awaited<ReturnType<typeof start>>
    let url: string

    beforeAll(async () => {
      const [port, target] = [await freePort(), await freePort()]
      url = `https://127.0.0.1:${port}`
      server = await startServer({
        ...fresh.settings,
        PORT: String(target),
        AUTH_URL: url,
        TRUST_PROXY: '1',
        DATABASE_TIMEOUT_MS: '20000',
      })
      const [language, line] = settings
      proxy = await start(program, documented(language, line, port, target), port)
    })

    afterAll(async () => {
      await proxy?.stop()
      await server?.stop()
    })

    const call = (path: string, headers = {}): Sent => ({
      path,
      body: JSON.stringify([{ email: 'behind-a-proxy@example.com' }]),
      headers: { 'content-type': 'text/plain;charset=UTF-8', 'next-action': id, ...headers },
    })

    function form(path: string): Sent {
      const body = new FormData()
      body.append(`$ACTION_ID_${id}`, '')
      body.append('email', 'form-behind-a-proxy@example.com')
      return { path, body, headers: {} }
    }

    test.each([
      ['of the page', () => call(ownPage)],
      ['of another page', () => call('/sign-in')],
      ['of a page that does not exist', () => call('/nothing-here')],
      ['of a form without JavaScript', () => form(ownPage)],
      [
        'with forwarded headers of the client',
        () =>
          call('/sign-in', {
            'x-forwarded-proto': 'https',
            'x-forwarded-host': 'other.example.com',
            'x-action-forwarded': '1',
          }),
      ],
    ])('an action %s is executed', async (_, sent) => {
      const before = await runs()
      const response = await post(url, sent())
      expect(await runs(), `${response.status}: ${response.text.slice(0, 200)}`).toBe(before + 1)
      expect(server.output()).not.toMatch(/failed to (forward|get)/)
    })
  })
}

describe('without a trusted proxy', () => {
  let server: Server
  beforeAll(async () => {
    server = await startServer({ ...fresh.settings, DATABASE_TIMEOUT_MS: '20000' })
  })
  afterAll(() => server?.stop())

  test.each([
    { 'x-forwarded-proto': 'https' },
    { 'x-forwarded-host': 'other.example.com' },
    { 'x-forwarded-port': '1', 'x-forwarded-proto': 'https,http' },
    { forwarded: 'proto=https;host=other.example.com', 'x-real-ip': '192.0.2.1' },
    { 'x-action-forwarded': '1' },
  ])('the headers %j do not reach Next, and the action is executed', async (headers) => {
    const before = await runs()
    const { origin } = new URL(server.url)
    const response = await fetch(`${server.url}/sign-in`, {
      method: 'POST',
      body: JSON.stringify([{ email: 'untrusted@example.com' }]),
      headers: {
        'content-type': 'text/plain;charset=UTF-8',
        'next-action': id,
        origin,
        ...(headers as Record<string, string>),
      },
    })
    expect(response.status).toBe(200)
    expect(await runs()).toBe(before + 1)
  })
})
