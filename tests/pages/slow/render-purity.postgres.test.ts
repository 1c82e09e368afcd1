import { readFileSync } from 'node:fs'
import { createCaller, sourceFiles } from 'plinth/testing'
import { runningServer, type Server, startServer } from 'plinth/testing/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

/**
 * A page with a render cache must depend on nothing but its data. It is rendered by two servers on
 * one database, with other clocks, for requests with other headers and cookies.
 */
/** One public URL: a page may contain it. */
const settings = { RENDER_CACHE_MB: '0', TRUST_PROXY: '1', AUTH_URL: 'http://localhost:3000' }
const app = runningServer(settings)
let otherClock: Server
let token: string

beforeAll(async () => {
  token = (await createCaller(app.database, 'admin')).token
  otherClock = await startServer({
    ...app.fresh.settings,
    ...settings,
    NODE_OPTIONS: `--import=${shiftedClock()}`,
  })
})

afterAll(() => otherClock.stop())

/** The clock is off by eleven hours, within the same day in UTC, because charts show days. */
function shiftedClock(): string {
  const shiftMs = (new Date().getUTCHours() < 12 ? 11 : -11) * 60 * 60 * 1000
  const code = `const now = () => Clock.now() + ${shiftMs}
    const Clock = Date
    globalThis.Date = new Proxy(Clock, {
      construct: (_, args) => args.length > 0 ? new Clock(...args) : new Clock(now()),
      get: (_, name) => name === 'now' ? now : Clock[name],
    })`
  return `data:text/javascript,${encodeURIComponent(code)}`
}

async function render(url: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(url, { headers })
  expect([url, response.status]).toEqual([url, 200])
  const nonce = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1]
  expect(nonce).toBeDefined()
  return (await response.text()).replaceAll(nonce ?? '', '')
}

const pages = cachedPages().filter((path) => !path.includes('['))

test('there are pages to compare', () => expect(pages).toContain('/sign-in'))

test.each(pages)('%s is rendered from its data alone', async (path) => {
  const cookie = path === '/sign-in' ? '' : `authjs.session-token=${token}`
  const one = () => render(app.url + path, { cookie, 'x-forwarded-for': '192.0.2.1' })
  const other = () =>
    render(otherClock.url + path, { ...otherHeaders, cookie: cookie + otherCookies })
  // React streams what is late, so the order of the parts also depends on how busy the machine is.
  await vi.waitFor(async () => expect(await other()).toBe(await one()), 20_000)
})

const otherCookies = '; theme=dark; authjs.typed-email=someone%40example.com'

const otherHeaders = {
  'x-forwarded-for': '192.0.2.2',
  'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36',
  'accept-language': 'ar',
}

/** The paths of the pages with a render cache, with parameters as in `/things/[id]`. */
function cachedPages(): string[] {
  return sourceFiles().flatMap((path) => {
    if (!/^src\/app\/.*\/page\.tsx$/.test(path)) return []
    const source = readFileSync(path, 'utf8')
    if (!/^ {4}renderCache: /m.test(source)) return []
    return /\bpath: '([^']+)'/.exec(source)?.[1] ?? []
  })
}
