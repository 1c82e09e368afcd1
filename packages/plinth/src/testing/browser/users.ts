import { randomUUID } from 'node:crypto'
import {
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  test,
} from '@playwright/test'
import { linkTo } from '#testing/browser/outbox'
import { randomIp, submitForm } from '#testing/server/call-action'

export const password = 'a few words in a row'

/** Through the API, which is faster; sign-in.spec.ts tests the page. */
export async function signIn(context: BrowserContext, email: string, password = 'plinth-demo-1') {
  const response = await context.request.post('/api/auth/signin', {
    data: { email, password, redirect: false },
  })
  expect(response.status()).toBe(200)
}

/** Signs a new user up and in without a browser page; sign-up.spec.ts tests the pages. */
export async function signUp(context: BrowserContext, name: string): Promise<string> {
  const { baseURL } = test.info().project.use
  const email = `${randomUUID().slice(0, 8)}@example.com`
  const headers = { 'x-forwarded-for': randomIp() }
  await submitForm(`${baseURL}/sign-up`, { email }, headers)
  const created = await submitForm(`${baseURL}${await linkTo(email)}`, { name, password }, headers)
  const [, value] = /^authjs\.session-token=([^;]+)/m.exec(setCookies(created)) ?? []
  if (!baseURL || !value) throw new Error(`Sign-up failed: ${created.status}`)
  await context.addCookies([{ name: 'authjs.session-token', value, url: baseURL }])
  return email
}

function setCookies(response: Response): string {
  return response.headers.getSetCookie().join('\n')
}

/** A separate browser context with its own IP address. */
export async function anotherBrowser(page: Page, options: BrowserContextOptions = {}) {
  const { baseURL } = test.info().project.use
  const context = await page
    .context()
    .browser()
    ?.newContext({
      baseURL: baseURL ?? '',
      extraHTTPHeaders: { 'x-forwarded-for': randomIp() },
      ...options,
    })
  if (!context) throw new Error('No browser.')
  return context
}
