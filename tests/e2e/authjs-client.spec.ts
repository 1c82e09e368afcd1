import { expectAccessible } from './support/accessibility'
import { callAuthJs, callWithArguments, openAuthJsPage } from './support/authjs-page'
import { type ProductWithProviders, startProductWithProviders } from './support/product'
import { expect, test } from './support/test'

test.describe.configure({ mode: 'serial' })

let product: ProductWithProviders

test.beforeAll(async () => {
  product = await startProductWithProviders()
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
  expect(Object.keys(providers ?? {})).toEqual(['github', 'google', 'credentials'])
  expect(providers?.google.signinUrl).toBe(`${product.url}/api/auth/signin/google`)
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

test('signIn without a provider shows the ways to sign in', async ({ page }) => {
  await callWithArguments(page, 'signIn', [undefined, { callbackUrl: '/start' }])
  await expect(page.getByRole('button', { name: 'Continue with GitHub' })).toBeVisible()
  expect(new URL(page.url()).search).toBe('?callbackUrl=%2Fstart')
  await expectAccessible(page)
})

for (const kind of ['github', 'google'] as const) {
  test(`signIn with ${kind}, and signOut`, async ({ page }) => {
    const email = `client-${kind}@example.org`
    product[kind].person = { id: '41', name: 'Client', email, verified: true }
    await callWithArguments(page, 'signIn', [kind, { callbackUrl: '/sign-in' }])
    await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
    await openAuthJsPage(page, product.url)
    expect((await callAuthJs(page, 'getSession'))?.user).toMatchObject({ email, role: 'viewer' })
    await callWithArguments(page, 'signOut', [{ callbackUrl: '/sign-in' }])
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  })

  for (const javaScriptEnabled of [true, false]) {
    test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
      test.use({ javaScriptEnabled })

      test(`the button for ${kind} signs in, and a refusal is told beside the form`, async ({
        page,
      }) => {
        const name = kind === 'github' ? 'Continue with GitHub' : 'Continue with Google'
        product[kind].person = 'refuses'
        await page.goto(`${product.url}/sign-in?callbackUrl=%2Fsign-in`)
        await page.getByRole('button', { name }).click()
        await expect(page.getByText('was told not to sign you in')).toBeVisible()
        const email = `button-${kind}@example.org`
        product[kind].person = { id: '42', name: 'Button', email, verified: true }
        await page.getByRole('button', { name }).click()
        await expect(page.getByRole('main').getByText(email)).toBeVisible()
        expect(new URL(page.url()).pathname).toBe('/sign-in')
      })
    })
  }
}
