import { once } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditEvents } from '#db/schema'
import { receiveAction } from '#server/pages/action-request'
import { builtActions, submitForm } from '#testing/server/call-action'
import { runningServer } from '#testing/server/running-server'

const app = runningServer({ TRUST_PROXY: '1' })

const { id } = builtActions().get('requestPasswordReset') ?? { id: '' }
/** As of a build in which the action had another name, and other arguments. */
const formerId = `40${'c0ffee'.repeat(7).slice(0, 40)}`
const removedId = `7f${'dead'.repeat(10)}`

/** How often the action ran. */
const runs = () =>
  app.database.$count(auditEvents, eq(auditEvents.action, 'request_reset_password'))

describe('a renamed action', () => {
  /** Sends to the server what it would pass to Next with a list of former names. */
  const proxy = createServer(async (request, response) => {
    const received = await receiveAction(request, {
      presentId: (sent) => (sent === formerId ? id : sent),
      isKnown: (sent) => sent === id,
    })
    if (typeof received === 'string' || received.isUnknown) return response.writeHead(500).end()
    const { method, url, headers } = received.request
    const passed = sendRequest(app.url + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    sent = await text(received.request)
    passed.end(sent)
  })
  let url: string
  let sent: string

  beforeAll(async () => {
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/forgot`
  })
  afterAll(() => proxy.close())

  test('runs when a page of the former build calls it', async () => {
    const before = await runs()
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify([{ email: 'with-javascript@example.com' }]),
      headers: { 'content-type': 'text/plain;charset=UTF-8', 'next-action': formerId },
    })
    expect(response.status).toBe(200)
    expect(await runs()).toBe(before + 1)
  })

  test('runs without JavaScript, and typed text is not translated', async () => {
    const before = await runs()
    const form = new FormData()
    form.append('$ACTION_REF_1', '')
    form.append('$ACTION_1:0', JSON.stringify({ id: formerId, bound: '$@1' }))
    form.append('$ACTION_1:1', '[]')
    form.append('email', 'without-javascript@example.com')
    form.append('callbackUrl', `/?q=${formerId}`)
    const response = await fetch(url, { method: 'POST', body: form })
    expect(response.status).toBe(200)
    expect(await runs()).toBe(before + 1)
    expect(sent).toContain(`\r\n/?q=${formerId}\r\n`)
    expect(sent.split(formerId)).toHaveLength(2)
  })

  test('runs without JavaScript and without a state', async () => {
    const before = await runs()
    const form = new FormData()
    form.append(`$ACTION_ID_${formerId}`, '')
    form.append('email', 'without-state@example.com')
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(200)
    expect(await runs()).toBe(before + 1)
  })
})

describe('a form of another build whose action does not exist', () => {
  const send = (body: FormData | URLSearchParams, headers = {}) =>
    fetch(`${app.url}/forgot`, { method: 'POST', body, headers })

  function formWith(fields: Record<string, string | Blob>): FormData {
    const form = new FormData()
    form.append(`$ACTION_ID_${removedId}`, '')
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    return form
  }

  test('is shown again, escaped and without secrets, and changes nothing', async () => {
    const before = await runs()
    const response = await send(
      formWith({
        displayName: '\n"></textarea><script>alert(1)</script>',
        email: 'typed@example.com',
        userId: '3e6f5f0c-3c0e-4f4b-9a53-5b6cbb0e7a11',
        currentPassword: 'hunter2 hunter2',
        token: 'secret-of-a-link',
        picture: new Blob(['in a file'], { type: 'text/plain' }),
      }),
    )
    expect(response.status).toBe(409)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe/)
    const html = await response.text()
    expect(html).toContain('The app was updated.')
    expect(html).toContain('>Display name</label>')
    expect(html).toContain('readonly>\n\r\n&quot;&gt;&lt;/textarea&gt;&lt;script&gt;alert(1)')
    expect(html).toContain('typed@example.com')
    expect(html).not.toMatch(/3e6f5f0c|hunter2|secret-of-a-link|in a file|ACTION_ID|<script>alert/)
    expect(await runs()).toBe(before)
    expect(app.server.output()).not.toMatch(/typed@example|hunter2|alert\(1\)/)
  })

  test('is shown again if it is not multipart', async () => {
    const fields = { [`$ACTION_ID_${removedId}`]: '', email: 'urlencoded@example.com' }
    const response = await send(new URLSearchParams(fields))
    expect(response.status).toBe(409)
    expect(await response.text()).toContain('urlencoded@example.com')
  })

  test('is refused from another origin, without its text', async () => {
    const form = formWith({ email: 'typed@example.com' })
    const response = await send(form, { origin: 'https://evil.example.com' })
    expect(response.status).toBe(403)
    expect(await response.text()).not.toContain('typed@example.com')
  })

  test('is refused above 1 MiB, also without a length', async () => {
    const long = new Blob([new Uint8Array(2 * 1024 * 1024).fill(97)])
    expect((await send(formWith({ long }))).status).toBe(413)
    const { body, headers } = new Response(formWith({ long }))
    const chunked = { method: 'POST', body, headers, duplex: 'half' } as RequestInit
    expect((await fetch(`${app.url}/forgot`, chunked)).status).toBe(413)
  })

  test('is left to the browser with JavaScript', async () => {
    const response = await send(formWith({}), { 'next-action': removedId })
    expect(response.status).toBe(409)
    expect(response.headers.get('x-nextjs-action-not-found')).toBe('1')
    expect(await response.text()).toBe('Server Action unavailable.')
  })
})

test('a form that its client does not finish is no error', async () => {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  const head = 'POST /forgot HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000\r\n'
  const unfinished = `${head}content-type: multipart/form-data; boundary=xx\r\n\r\n--xx`
  await new Promise((resolve) => socket.write(unfinished, resolve))
  socket.destroy()
  const response = await submitForm(`${app.url}/forgot`, { email: 'after@example.com' })
  expect(response.status).toBe(200)
  expect(app.server.log().filter(({ msg }) => msg === 'page failed')).toEqual([])
})
