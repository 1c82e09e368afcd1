import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server as PageServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { type Server, startServer } from '../support/server'

/** A page of somebody else's, on another origin of the same machine. */
let pages: PageServer
let pageOrigin: string
let folder: string

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

/** What a script of that page gets, or why it gets nothing. */
function callFrom(page: Page, base: string, { path, method = 'GET', body, token }: Call) {
  return page.evaluate(
    async ({ url, init }) => {
      try {
        const response = await fetch(url, init)
        return { status: response.status, body: await response.json() }
      } catch (error) {
        return { refused: (error as Error).message }
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

test.describe('with its origin in CORS_ORIGINS', () => {
  let product: Server
  test.beforeAll(async () => {
    product = await startServer({ DATA_DIR: join(folder, 'open'), CORS_ORIGINS: pageOrigin })
  })
  test.afterAll(() => product.stop())

  test('a page signs in by cookie, is known, and signs out', async ({ page, context }) => {
    await page.goto(pageOrigin)
    expect(await callFrom(page, product.url, signIn('cookie'))).toMatchObject({ status: 200 })
    expect(await context.cookies(product.url)).toHaveLength(1)
    const known = await callFrom(page, product.url, session)
    expect(known.body.user.email).toBe('viewer@example.com')
    expect(await callFrom(page, product.url, signOut)).toMatchObject({ status: 200 })
    expect(await callFrom(page, product.url, session)).toEqual({ status: 200, body: null })
  })

  test('a page uses a bearer token, without a cookie', async ({ page, context }) => {
    await page.goto(pageOrigin)
    const { body } = await callFrom(page, product.url, signIn('bearer'))
    const { token } = body
    expect(await context.cookies(product.url)).toEqual([])
    const known = await callFrom(page, product.url, { ...session, token })
    expect(known.body.user.role).toBe('viewer')
    expect(await callFrom(page, product.url, { ...signOut, token })).toMatchObject({ status: 200 })
    expect(await callFrom(page, product.url, { ...session, token })).toMatchObject({ body: null })
  })
})

test.describe('without CORS_ORIGINS', () => {
  let product: Server
  test.beforeAll(async () => {
    product = await startServer({ DATA_DIR: join(folder, 'closed') })
  })
  test.afterAll(() => product.stop())

  test('a page can neither read, nor sign in, nor sign anybody out', async ({ page, context }) => {
    // Somebody is signed in here, as they would be when they come across such a page.
    const answer = await context.request.post(`${product.url}/api/auth/signin`, {
      data: { email: 'editor@example.com', password: 'plinth-demo-1', redirect: false },
    })
    expect(answer.status()).toBe(200)
    await page.goto(pageOrigin)
    for (const call of [session, signIn('cookie'), signIn('bearer'), signOut]) {
      expect(await callFrom(page, product.url, call)).toEqual({ refused: 'Failed to fetch' })
    }
    // A plain form needs no permission to be sent, so it has to be refused when it arrives.
    await page.evaluate((url) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: url })
      document.body.append(form)
      form.submit()
    }, `${product.url}/api/auth/signout`)
    await expect(page.locator('body')).toContainText('cross_origin')
    const own = await context.request.get(`${product.url}/api/auth/session`)
    expect((await own.json()).user.email).toBe('editor@example.com')
  })
})
