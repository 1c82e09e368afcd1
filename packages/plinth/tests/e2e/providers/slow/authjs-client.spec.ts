import {
  expect,
  expectAccessible,
  type ServerWithProviders,
  startServerWithProviders,
  test,
} from 'plinth/testing/browser'
import { installed } from '../../../support/installed-providers'
import { callAuthJs, callWithArguments, openAuthJsPage } from '../../support/authjs-page'

test.describe.configure({ mode: 'serial' })

let server: ServerWithProviders

test.beforeAll(async () => {
  server = await startServerWithProviders(installed)
})
test.afterAll(() => server.stop())

test.beforeEach(({ page }) => openAuthJsPage(page, server.url))

test('getProviders lists every provider, and the sign-in page shows them', async ({ page }) => {
  const providers = await callAuthJs(page, 'getProviders')
  const ids = installed.map(({ id }) => id)
  expect(Object.keys(providers ?? {})).toEqual([...ids, 'credentials'])
  for (const id of ids) {
    expect(providers?.[id]?.signinUrl).toBe(`${server.url}/api/auth/signin/${id}`)
  }
  await callWithArguments(page, 'signIn', [undefined, { callbackUrl: '/start' }])
  for (const { name } of installed) {
    await expect(page.getByRole('button', { name: `Continue with ${name}` })).toBeVisible()
  }
  expect(new URL(page.url()).search).toBe('?callbackUrl=%2Fstart')
  await expectAccessible(page)
})

for (const { id, name } of installed) {
  test(`signIn with ${id} and signOut work`, async ({ page }) => {
    const email = `client-${id}@example.org`
    server.providerOf(id).user = { id: '41', name: 'Client', email, verified: true }
    await callWithArguments(page, 'signIn', [id, { callbackUrl: '/sign-in' }])
    await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
    await openAuthJsPage(page, server.url)
    expect((await callAuthJs(page, 'getSession'))?.user).toMatchObject({ email, role: 'viewer' })
    await callWithArguments(page, 'signOut', [{ callbackUrl: '/sign-in' }])
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  })

  for (const javaScriptEnabled of [true, false]) {
    test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
      test.use({ javaScriptEnabled })

      test(`the ${id} button signs in, and shows an error after the user cancels`, async ({
        page,
      }) => {
        const button = page.getByRole('button', { name: `Continue with ${name}` })
        server.providerOf(id).user = 'denies'
        await page.goto(`${server.url}/sign-in?callbackUrl=%2Fsign-in`)
        await button.click()
        await expect(page.getByText('Sign-in was canceled.')).toBeVisible()
        const email = `button-${id}@example.org`
        server.providerOf(id).user = { id: '42', name: 'Button', email, verified: true }
        await button.click()
        await expect(page.getByRole('main').getByText(email)).toBeVisible()
        expect(new URL(page.url()).pathname).toBe('/sign-in')
      })
    })
  }
}
