import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server as PageServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { type Server, startServer } from 'plinth/testing/browser'

/** A third-party page on another origin. */
let pages: PageServer
let pageOrigin: string
let folder: string

// Each server is started once.
test.describe.configure({ mode: 'default' })

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-cross-origin-'))
  pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title>')
  })
  await new Promise<void>((ready) => pages.listen(0, '127.0.0.1', ready))
  pageOrigin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
})

test.afterAll(() => {
  pages.close()
  rmSync(folder, { recursive: true, force: true })
})

type Call = { path: string; method?: string; body?: object; token?: string }

/** The response to a script of that page, or the error. */
function callFrom(page: Page, base: string, { path, method = 'GET', body, token }: Call) {
  return page.evaluate(
    async ({ url, init }) => {
      try {
        const response = await fetch(url, init)
        return { status: response.status, body: await response.json() }
      } catch (error) {
        return { error: (error as Error).message }
      }
    },
    {
      url: `${base}${path}`,
      init: {
        method,
        credentials: 'include' as const,
        headers: {
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      },
    },
  )
}

const signIn = (transport: 'cookie' | 'bearer'): Call => ({
  path: '/api/auth/signin',
  method: 'POST',
  body: { email: 'viewer@example.com', password: 'plinth-demo-1', redirect: false, transport },
})

const session: Call = { path: '/api/auth/session' }
const signOut: Call = { path: '/api/auth/signout', method: 'POST', body: { redirect: false } }

test.describe('with the origin in CORS_ORIGINS', () => {
  let server: Server
  test.beforeAll(async () => {
    server = await startServer({ DATA_DIR: join(folder, 'open'), CORS_ORIGINS: pageOrigin })
  })
  test.afterAll(() => server.stop())

  test('a page signs in by cookie, reads the session and signs out', async ({ page, context }) => {
    await page.goto(pageOrigin)
    expect(await callFrom(page, server.url, signIn('cookie'))).toMatchObject({ status: 200 })
    const names = (await context.cookies(server.url)).map(({ name }) => name).sort()
    expect(names).toEqual(['authjs.session-token', 'plinth.device'])
    const current = await callFrom(page, server.url, session)
    expect(current.body.user.email).toBe('viewer@example.com')
    expect(await callFrom(page, server.url, signOut)).toMatchObject({ status: 200 })
    expect(await callFrom(page, server.url, session)).toEqual({ status: 200, body: null })
  })

  test('a page uses a bearer token without a cookie', async ({ page, context }) => {
    await page.goto(pageOrigin)
    const { body } = await callFrom(page, server.url, signIn('bearer'))
    const { token } = body
    expect(await context.cookies(server.url)).toEqual([])
    const current = await callFrom(page, server.url, { ...session, token })
    expect(current.body.user.role).toBe('viewer')
    expect(await callFrom(page, server.url, { ...signOut, token })).toMatchObject({ status: 200 })
    expect(await callFrom(page, server.url, { ...session, token })).toMatchObject({ body: null })
  })
})

test.describe('without CORS_ORIGINS', () => {
  let server: Server
  test.beforeAll(async () => {
    server = await startServer({ DATA_DIR: join(folder, 'closed') })
  })
  test.afterAll(() => server.stop())

  test('a page can neither read the session nor sign in nor sign out', async ({
    page,
    context,
  }) => {
    // The visitor is signed in to this application.
    const response = await context.request.post(`${server.url}/api/auth/signin`, {
      data: { email: 'editor@example.com', password: 'plinth-demo-1', redirect: false },
    })
    expect(response.status()).toBe(200)
    await page.goto(pageOrigin)
    for (const call of [session, signIn('cookie'), signIn('bearer'), signOut]) {
      expect(await callFrom(page, server.url, call)).toEqual({ error: 'Failed to fetch' })
    }
    // The browser sends a plain form without a CORS check, so the server must reject it.
    await page.evaluate((url) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: url })
      document.body.append(form)
      form.submit()
    }, `${server.url}/api/auth/signout`)
    await expect(page.locator('body')).toContainText('cross_origin')
    const current = await context.request.get(`${server.url}/api/auth/session`)
    expect((await current.json()).user.email).toBe('editor@example.com')
  })
})
