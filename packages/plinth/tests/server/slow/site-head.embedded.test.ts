import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#db/schema'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { type Server, startServer } from '#testing/server/server'

const origin = 'https://app.example.com'
let fresh: FreshDatabase
let server: Server

beforeAll(async () => {
  fresh = await freshDatabase()
  const connection = await openFresh(fresh)
  // With a user there are no demo accounts, with which the server refuses a public URL.
  await connection.database.insert(users).values({ email: 'ada@example.com', name: 'Ada' })
  await connection.close()
  server = await startServer({ ...fresh.settings, AUTH_URL: origin })
})

afterAll(async () => {
  await server?.stop()
  await fresh?.remove()
})

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, { headers, redirect: 'manual' })
}

async function contentOf(path: string, property: string): Promise<string | undefined> {
  const html = await (await get(path)).text()
  return new RegExp(`<meta property="${property}" content="([^"]*)"`).exec(html)?.[1]
}

// Prerendered by the build, which did not know AUTH_URL; rendered per request; and of the API.
test.each(['/', '/sign-in', '/api/docs'])(
  '%s has its URL at the origin of AUTH_URL',
  async (path) => {
    const html = await (await get(`${path}?callbackUrl=%2Fx`)).text()
    expect(html.match(/<link rel="canonical"[^>]*>/g)).toEqual([
      `<link rel="canonical" href="${origin}${path}"/>`,
    ])
    expect(await contentOf(path, 'og:url')).toBe(origin + path)
    expect(await contentOf(path, 'og:title')).toBe(/<title>([^<]*)/.exec(html)?.[1])
    const image = new URL((await contentOf(path, 'og:image')) ?? '')
    expect(image.origin).toBe(origin)
    expect((await get(image.pathname)).headers.get('content-type')).toBe('image/png')
  },
)

test('a prerendered page keeps its scripts, its compression and its revalidation', async () => {
  const response = await get('/')
  const etag = response.headers.get('etag') ?? ''
  const html = await response.text()
  const policy = response.headers.get('content-security-policy')
  const scripts = [...html.matchAll(/<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs)]
  expect(scripts.length).toBeGreaterThan(1)
  for (const [, text = ''] of scripts) {
    expect(policy).toContain(createHash('sha256').update(text).digest('base64'))
  }
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect((await get('/', { 'if-none-match': etag })).status).toBe(304)
  const head = await fetch(`${server.url}/`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  // Next's client gets what it asks for.
  const part = await fetch(`${server.url}/`, { headers: { rsc: '1' } })
  expect(part.headers.get('content-type')).toMatch(/^text\/x-component/)
})

test('pages that are not for search engines say so, and have no public URL', async () => {
  const reset = await (await get('/reset?token=x')).text()
  expect(reset).toContain('<meta name="robots" content="noindex')
  expect(reset).not.toContain('rel="canonical"')
  const confirm = await get('/confirm')
  expect([confirm.status, confirm.headers.get('x-robots-tag')]).toEqual([307, 'noindex'])
  expect((await get('/sign-in')).headers.get('x-robots-tag')).toBeNull()
})

test('the sitemap lists only pages that anyone may open, and robots.txt allows them', async () => {
  const robots = await (await get('/robots.txt')).text()
  expect(robots).toContain(`Sitemap: ${origin}/sitemap.xml`)
  const disallowed = [...robots.matchAll(/^Disallow: (.+)$/gm)].map(([, path = '']) => path)
  expect(disallowed).toContain('/api/')
  const sitemap = await (await get('/sitemap.xml')).text()
  const urls = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => new URL(url))
  expect(urls.length).toBeGreaterThan(2)
  for (const { origin: of, pathname } of urls) {
    expect(of).toBe(origin)
    const response = await get(pathname)
    expect([pathname, response.status]).toEqual([pathname, 200])
    expect(response.headers.get('x-robots-tag')).toBeNull()
    expect(await response.text()).not.toContain('<meta name="robots" content="noindex')
    const isDisallowed = disallowed.some((path) => pathname.startsWith(path))
    expect(isDisallowed && !robots.includes(`Allow: ${pathname}`), pathname).toBe(false)
  }
})

test('every page links a manifest whose icons exist, and has colors for light and dark', async () => {
  const html = await (await get('/sign-in')).text()
  expect(html.match(/<meta name="theme-color"/g)).toHaveLength(2)
  expect(html).toContain('<link rel="manifest" href="/manifest.webmanifest"/>')
  const manifest = await (await get('/manifest.webmanifest')).json()
  const icons: string[] = manifest.icons.map(({ src }: { src: string }) => src)
  expect(manifest.icons).toContainEqual(expect.objectContaining({ purpose: 'maskable' }))
  // An app may delete the icon for old browsers: docs/recipes/brand.md.
  const old = existsSync('public/favicon.ico') ? ['/favicon.ico'] : []
  for (const path of [...icons, ...old, '/apple-touch-icon.png']) {
    const { status, headers } = await get(path)
    expect([path, status]).toEqual([path, 200])
    expect(headers.get('content-type')).toMatch(/^image\//)
  }
})
