import { gunzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '#db/schema'
import { hashesOfNextScripts } from '#server/pages/render-cache'
import { createCaller } from '#testing/callers'
import { freshDatabase } from '#testing/database/database'
import { runningServer } from '#testing/server/running-server'
import { startServer } from '#testing/server/server'

const app = runningServer()

/** Shows the user. Every rendering has another nonce, so equal documents were rendered once. */
const path = '/sign-in'

const cookieOf = (token: string) => ({ cookie: `authjs.session-token=${token}` })

async function get(headers: Record<string, string> = {}, url = app.url + path) {
  const response = await fetch(url, { headers })
  expect(response.status).toBe(200)
  return { html: await response.text(), headers: response.headers }
}

test('sends the same document again if nothing that it shows has changed', async () => {
  const { token } = await createCaller(app.database, 'viewer')
  const [first, second] = [await get(cookieOf(token)), await get(cookieOf(token))]
  expect(second.html).toBe(first.html)
  expect(first.html).toMatch(/ nonce="[^"]+"/)
  expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  expect(second.headers.get('cache-control')).toMatch(/private.*no-store/)
})

test('its policy allows the scripts of Next by their hashes and no nonce', async () => {
  const { html, headers } = await get()
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).not.toContain('nonce-')
  const inline = [...html.matchAll(/<script nonce="[^"]*"(?: id="[^"]*")?>/g)]
  expect(inline.length).toBeGreaterThan(1)
  expect(policy.match(/'sha256-[^']+'/g)).toHaveLength(inline.length)
})

test('the hashes do not include an injected script', () => {
  const body = '<p><script>steal()</script><script nonce="abc">next()</script></p>'
  const allowed = hashesOfNextScripts(Buffer.from(body), "script-src 'self' 'nonce-abc'")
  const digest = async (text: string) => {
    const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
    return `sha256-${Buffer.from(bytes).toString('base64')}`
  }
  return expect(digest('next()')).resolves.toBe(allowed.join())
})

test('a change of the user is shown by the next request', async () => {
  const { id, email, token } = await createCaller(app.database, 'viewer')
  const { html } = await get(cookieOf(token))
  expect(html).toContain(email)
  await app.database.update(users).set({ name: 'Renamed user' }).where(eq(users.id, id))
  await expect
    .poll(async () => (await get(cookieOf(token))).html, { timeout: 5000 })
    .toContain('Renamed user')
})

test('users and sessions do not share documents', async () => {
  const one = await createCaller(app.database, 'viewer')
  const other = await createCaller(app.database, 'viewer')
  const [ofOne, ofOther, anonymous] = [
    await get(cookieOf(one.token)),
    await get(cookieOf(other.token)),
    await get(),
  ]
  expect(ofOne.html).toContain(one.email)
  expect(ofOther.html).toContain(other.email)
  expect(ofOther.html).not.toContain(one.email)
  expect(anonymous.html).not.toContain(one.email)
})

test('another URL is another document', async () => {
  const { html } = await get({}, `${app.url}${path}?callbackUrl=%2Faccount`)
  expect(html).toContain('value="/account"')
  expect((await get()).html).not.toContain('value="/account"')
})

test('requests of the Next client are rendered and change no document', async () => {
  const { html } = await get()
  for (const header of ['rsc', 'next-router-state-tree', 'next-url', 'x-nextjs-data']) {
    const response = await fetch(app.url + path, { headers: { [header]: '1' } })
    expect(await response.text(), header).not.toBe(html)
  }
  expect((await get()).html).toBe(html)
})

test('sends it compressed to clients that accept gzip', async () => {
  const { html } = await get({ 'accept-encoding': 'identity' })
  const { status, body, encoding } = await rawGet({ 'accept-encoding': 'gzip' })
  expect([status, encoding]).toEqual([200, 'gzip'])
  expect(gunzipSync(body).toString()).toBe(html)
})

test('RENDER_CACHE_MB=0 renders every request', async () => {
  const fresh = await freshDatabase()
  const server = await startServer({ ...fresh.settings, RENDER_CACHE_MB: '0' })
  try {
    const [first, second] = [await get({}, server.url + path), await get({}, server.url + path)]
    expect(second.html).not.toBe(first.html)
    expect(second.headers.get('content-security-policy')).toContain("'nonce-")
  } finally {
    await server.stop()
    await fresh.remove()
  }
})

/** `fetch` decompresses. */
async function rawGet(headers: Record<string, string>) {
  const { get: httpGet } = await import('node:http')
  return new Promise<{ status: number | undefined; body: Buffer; encoding: string | undefined }>(
    (resolve, reject) => {
      httpGet(app.url + path, { headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            body: Buffer.concat(chunks),
            encoding: response.headers['content-encoding'],
          }),
        )
      }).on('error', reject)
    },
  )
}
