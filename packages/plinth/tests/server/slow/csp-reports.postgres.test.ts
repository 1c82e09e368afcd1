import { chromium } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { randomIp } from '#testing/server/call-action'
import { freePort, type Server, startServer } from '#testing/server/server'
import { findChromium } from '../../../scripts/services/programs.mjs'
import { readSeries, scrape } from '../../support/scrape'
import { startTlsProxy } from '../../support/tls-proxy'

const executablePath = process.env.CHROMIUM_PATH ?? findChromium()

let fresh: FreshDatabase
let shared: Running

beforeAll(async () => {
  fresh = await freshDatabase()
  shared = await start({ LOG_LEVEL: 'trace', TRUST_PROXY: '1' })
}, 120_000)
afterAll(async () => {
  await shared.server.stop()
  await fresh.remove()
})

type Running = { server: Server; violations(directive: string): Promise<number> }

async function start(settings: Record<string, string> = {}): Promise<Running> {
  const METRICS_PORT = String(await freePort())
  const server = await startServer({
    ...fresh.settings,
    DATABASE_TIMEOUT_MS: '20000',
    METRICS_PORT,
    ...settings,
  })
  return {
    server,
    async violations(directive) {
      const series = readSeries(await scrape(`http://127.0.0.1:${METRICS_PORT}`))
      return series[`plinth_csp_violations_total{directive="${directive}"}`] ?? 0
    },
  }
}

describe.skipIf(!executablePath)('Chromium', () => {
  /** Opens the page and adds a script that its policy does not allow. Returns what it was sent with. */
  async function violatePolicy(url: string) {
    const browser = await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--headless', '--disable-gpu', '--ignore-certificate-errors'],
    })
    onTestFinished(() => browser.close())
    const page = await browser.newPage({ ignoreHTTPSErrors: true })
    const response = await page.goto(url)
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.injected = true'
      document.body.append(script)
    })
    expect(await page.evaluate(() => 'injected' in window)).toBe(false)
    return response?.headers() ?? {}
  }

  test('reports a violation over http', async () => {
    const { server, violations } = shared
    const headers = await violatePolicy(`${server.url}/forgot`)
    expect(headers['content-security-policy']).toMatch(/; report-uri \/api\/csp-reports$/)
    await expect.poll(() => violations('script-src-elem'), { timeout: 60_000 }).toBe(1)
    expect(server.output()).not.toContain('injected')
  }, 120_000)

  test('reports a violation over https', async () => {
    const port = await freePort()
    const { server, violations } = await start({ AUTH_URL: `https://127.0.0.1:${port}` })
    onTestFinished(async () => void (await server.stop()))
    const proxy = await startTlsProxy(port, server.url)
    onTestFinished(() => proxy.stop())
    const headers = await violatePolicy(`https://127.0.0.1:${port}/forgot`)
    expect(headers['content-security-policy']).toMatch(/; report-uri \/api\/csp-reports$/)
    await expect.poll(() => violations('script-src-elem'), { timeout: 60_000 }).toBe(1)
  }, 120_000)
})

describe('POST /api/csp-reports', () => {
  const send = (
    ip: string,
    body: unknown,
    { type = 'application/csp-report', requestId = '' } = {},
  ) =>
    fetch(`${shared.server.url}/api/csp-reports`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: {
        'content-type': type,
        'x-forwarded-for': ip,
        ...(requestId && { 'x-request-id': requestId }),
      },
    })

  test('counts reports by directive, and stores and logs nothing of them', async () => {
    const ip = randomIp()
    const earlier = await shared.violations('other')
    const reported = {
      'document-uri': 'https://app.example.com/reset?token=secret-of-a-link',
      'effective-directive': 'img-src',
      'script-sample': 'a-sample-of-the-page',
    }
    const response = await send(ip, { 'csp-report': reported })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    const list = [
      { type: 'csp-violation', body: { effectiveDirective: 'img-src', sample: 'another-sample' } },
      { type: 'csp-violation', body: { effectiveDirective: 'made-up"} 1' } },
      { type: 'deprecation', body: { id: 'old' } },
      { type: 'crash' },
    ]
    const type = 'application/reports+json'
    expect((await send(ip, list, { type, requestId: 'last-report' })).status).toBe(204)
    expect(await shared.violations('img-src')).toBe(2)
    expect(await shared.violations('other')).toBe(earlier + 1)
    await shared.server.waitFor(/last-report/)
    expect(shared.server.output()).not.toMatch(/secret-of-a-link|sample|made-up/)
  })

  test('refuses what is no report', async () => {
    const earlier = await shared.violations('other')
    const cases: [body: string, type: string, status: number][] = [
      ['{', 'application/csp-report', 400],
      ['{}', 'application/csp-report', 422],
      ['[7]', 'application/reports+json', 422],
      ['x', 'text/plain', 415],
      ['x'.repeat(70_000), 'application/csp-report', 413],
    ]
    const ip = randomIp()
    for (const [body, type, status] of cases) {
      expect((await send(ip, body, { type })).status).toBe(status)
    }
    expect(await shared.violations('other')).toBe(earlier)
  })

  test('is limited to 60 requests a minute from one IP', async () => {
    const ip = randomIp()
    const report = { 'csp-report': { 'effective-directive': 'font-src' } }
    const statuses: number[] = []
    for (let count = 0; count < 65; count += 1) statuses.push((await send(ip, report)).status)
    expect(statuses.at(0)).toBe(204)
    expect(statuses.at(-1)).toBe(429)
    expect(await shared.violations('font-src')).toBe(statuses.filter((s) => s === 204).length)
  })
})
