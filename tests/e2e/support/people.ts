import { randomUUID } from 'node:crypto'
import {
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  test,
} from '@playwright/test'
import { submitForm } from '../../support/form'
import { linkTo } from './outbox'

export const password = 'a few words in a row'

/** By the interface, without a page: how it goes in a browser, sign-in.spec.ts shows. */
export async function signIn(context: BrowserContext, email: string, word = 'plinth-demo-1') {
  const answer = await context.request.post('/api/auth/signin', {
    data: { email, password: word, redirect: false },
  })
  expect(answer.status()).toBe(200)
}

/** Somebody new, signed in without having seen a page: sign-up.spec.ts goes the way of people. */
export async function signUp(context: BrowserContext, name: string): Promise<string> {
  const { baseURL } = test.info().project.use
  const email = `${randomUUID().slice(0, 8)}@example.com`
  const headers = { 'x-forwarded-for': randomUUID() }
  await submitForm(`${baseURL}/sign-up`, { email }, headers)
  const finished = await submitForm(`${baseURL}${await linkTo(email)}`, { name, password }, headers)
  const [, value] = /^authjs\.session-token=([^;]+)/m.exec(sentBy(finished)) ?? []
  if (!baseURL || !value) throw new Error(`Nobody was signed up: ${finished.status}`)
  await context.addCookies([{ name: 'authjs.session-token', value, url: baseURL }])
  return email
}

function sentBy(response: Response): string {
  return response.headers.getSetCookie().join('\n')
}

/** A browser of its own, at an address of its own. */
export async function anotherBrowser(page: Page, options: BrowserContextOptions = {}) {
  const { baseURL } = test.info().project.use
  const context = await page
    .context()
    .browser()
    ?.newContext({
      baseURL: baseURL ?? '',
      extraHTTPHeaders: { 'x-forwarded-for': randomUUID() },
      ...options,
    })
  if (!context) throw new Error('There is no browser.')
  return context
}
