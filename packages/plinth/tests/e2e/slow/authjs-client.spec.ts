import {
  expect,
  freePort,
  type IsolatedServer,
  startIsolatedServer,
  test,
} from 'plinth/testing/browser'
import { callAuthJs, callWithArguments, openAuthJsPage } from '../support/authjs-page'

test.describe.configure({ mode: 'serial' })

let server: IsolatedServer

test.beforeAll(async () => {
  server = await startIsolatedServer(await freePort())
})
test.afterAll(() => server.stop())

test.use({
  // The browser logs the 401 of a wrong password.
  allowedErrors: /status of 401/,
})

test.beforeEach(({ page }) => openAuthJsPage(page, server.url))

const credentials = { email: 'editor@example.com', password: 'plinth-demo-1', redirect: false }

test('an anonymous caller has no session, and gets a CSRF token and the providers', async ({
  page,
}) => {
  expect(await callAuthJs(page, 'getSession')).toBeNull()
  const token = await callAuthJs(page, 'getCsrfToken')
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect(await callAuthJs(page, 'getCsrfToken')).toBe(token)
  const providers = await callAuthJs(page, 'getProviders')
  expect(Object.keys(providers ?? {})).toEqual(['credentials'])
  expect(providers?.credentials.signinUrl).toBe(`${server.url}/api/auth/signin/credentials`)
})

test('signIn and signOut work with a password', async ({ page }) => {
  const wrong = { ...credentials, password: 'wrong' }
  expect(await callWithArguments(page, 'signIn', ['credentials', wrong])).toEqual({
    error: 'CredentialsSignin',
    code: 'credentials',
    status: 401,
    ok: false,
    url: null,
  })
  expect(await callAuthJs(page, 'getSession')).toBeNull()

  const signedIn = await callWithArguments(page, 'signIn', ['credentials', credentials])
  expect(signedIn).toMatchObject({ ok: true, status: 200, url: `${server.url}/authjs-client` })
  expect(signedIn?.error).toBeUndefined()
  const session = await callAuthJs(page, 'getSession')
  expect(session?.user).toMatchObject({ email: 'editor@example.com', role: 'editor' })
  expect(Object.keys(session ?? {}).sort()).toEqual(['expires', 'user'])

  const signedOut = await callWithArguments(page, 'signOut', [
    { redirect: false, callbackUrl: '/start' },
  ])
  expect(signedOut).toEqual({ url: '/start' })
  expect(await callAuthJs(page, 'getSession')).toBeNull()
})

test('signIn redirects to the callback URL, or to the sign-in page on failure', async ({
  page,
}) => {
  const { redirect, ...fields } = credentials
  await callWithArguments(page, 'signIn', ['credentials', { ...fields, password: 'wrong' }])
  await expect(page.getByText('The email or password is incorrect.')).toBeVisible()
  await openAuthJsPage(page, server.url)
  await callWithArguments(page, 'signIn', ['credentials', { ...fields, callbackUrl: '/sign-in' }])
  await expect(page.getByRole('main').getByText('editor@example.com')).toBeVisible()
})

test('signIn without a provider opens the sign-in page', async ({ page }) => {
  await callWithArguments(page, 'signIn', [undefined, { callbackUrl: '/start' }])
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  expect(new URL(page.url()).search).toBe('?callbackUrl=%2Fstart')
})
