import { freePort } from '../support/server'
import { callAuthJs, callWithArguments, openAuthJsPage } from './support/authjs-page'
import { type Product, startProduct } from './support/product'
import { expect, test } from './support/test'

test.describe.configure({ mode: 'serial' })

let product: Product

test.beforeAll(async () => {
  product = await startProduct(await freePort())
})
test.afterAll(() => product.stop())

test.use({
  // A refused password is a 401, which a browser writes down.
  allowedProblems: /status of 401/,
})

test.beforeEach(({ page }) => openAuthJsPage(page, product.url))

const right = { email: 'editor@example.com', password: 'plinth-demo-1', redirect: false }

test('nobody has no session, and everybody a CSRF token and the providers', async ({ page }) => {
  expect(await callAuthJs(page, 'getSession')).toBeNull()
  const token = await callAuthJs(page, 'getCsrfToken')
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect(await callAuthJs(page, 'getCsrfToken')).toBe(token)
  const providers = await callAuthJs(page, 'getProviders')
  expect(Object.keys(providers ?? {})).toEqual(['credentials'])
  expect(providers?.credentials.signinUrl).toBe(`${product.url}/api/auth/signin/credentials`)
})

test('signIn and signOut with a password', async ({ page }) => {
  const wrong = { ...right, password: 'wrong' }
  expect(await callWithArguments(page, 'signIn', ['credentials', wrong])).toEqual({
    error: 'CredentialsSignin',
    code: 'credentials',
    status: 401,
    ok: false,
    url: null,
  })
  expect(await callAuthJs(page, 'getSession')).toBeNull()

  const signedIn = await callWithArguments(page, 'signIn', ['credentials', right])
  expect(signedIn).toMatchObject({ ok: true, status: 200, url: `${product.url}/authjs-client` })
  expect(signedIn?.error).toBeUndefined()
  const session = await callAuthJs(page, 'getSession')
  expect(session?.user).toMatchObject({ email: 'editor@example.com', role: 'editor' })
  expect(Object.keys(session ?? {}).sort()).toEqual(['expires', 'user'])

  const out = await callWithArguments(page, 'signOut', [{ redirect: false, callbackUrl: '/start' }])
  expect(out).toEqual({ url: '/start' })
  expect(await callAuthJs(page, 'getSession')).toBeNull()
})

test('signIn leads there itself, and a failure to the page that tells it', async ({ page }) => {
  const { redirect, ...fields } = right
  await callWithArguments(page, 'signIn', ['credentials', { ...fields, password: 'wrong' }])
  await expect(page.getByText('The e-mail address or the password is wrong.')).toBeVisible()
  await openAuthJsPage(page, product.url)
  await callWithArguments(page, 'signIn', ['credentials', { ...fields, callbackUrl: '/sign-in' }])
  await expect(page.getByRole('main').getByText('editor@example.com')).toBeVisible()
})

test('signIn without a provider shows the page to sign in on', async ({ page }) => {
  await callWithArguments(page, 'signIn', [undefined, { callbackUrl: '/start' }])
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  expect(new URL(page.url()).search).toBe('?callbackUrl=%2Fstart')
})
