import { installed } from '@/core/auth/providers/installed'
import {
  type ProductWithProviders,
  startProductWithProviders,
} from '../../support/providers/product'
import { expectAccessible } from '../support/accessibility'
import { callAuthJs, callWithArguments, openAuthJsPage } from '../support/authjs-page'
import { expect, test } from '../support/test'

test.describe.configure({ mode: 'serial' })

let product: ProductWithProviders

test.beforeAll(async () => {
  product = await startProductWithProviders()
})
test.afterAll(() => product.stop())

test.beforeEach(({ page }) => openAuthJsPage(page, product.url))

test('getProviders names them all, and the page to sign in on shows them', async ({ page }) => {
  const providers = await callAuthJs(page, 'getProviders')
  const ids = installed.map(({ id }) => id)
  expect(Object.keys(providers ?? {})).toEqual([...ids, 'credentials'])
  for (const id of ids) {
    expect(providers?.[id]?.signinUrl).toBe(`${product.url}/api/auth/signin/${id}`)
  }
  await callWithArguments(page, 'signIn', [undefined, { callbackUrl: '/start' }])
  for (const { name } of installed) {
    await expect(page.getByRole('button', { name: `Continue with ${name}` })).toBeVisible()
  }
  expect(new URL(page.url()).search).toBe('?callbackUrl=%2Fstart')
  await expectAccessible(page)
})

for (const { id, name } of installed) {
  test(`signIn with ${id}, and signOut`, async ({ page }) => {
    const email = `client-${id}@example.org`
    product.serverOf(id).person = { id: '41', name: 'Client', email, verified: true }
    await callWithArguments(page, 'signIn', [id, { callbackUrl: '/sign-in' }])
    await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
    await openAuthJsPage(page, product.url)
    expect((await callAuthJs(page, 'getSession'))?.user).toMatchObject({ email, role: 'viewer' })
    await callWithArguments(page, 'signOut', [{ callbackUrl: '/sign-in' }])
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  })

  for (const javaScriptEnabled of [true, false]) {
    test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
      test.use({ javaScriptEnabled })

      test(`the button for ${id} signs in, and a refusal is told beside the form`, async ({
        page,
      }) => {
        const button = page.getByRole('button', { name: `Continue with ${name}` })
        product.serverOf(id).person = 'refuses'
        await page.goto(`${product.url}/sign-in?callbackUrl=%2Fsign-in`)
        await button.click()
        await expect(page.getByText('was told not to sign you in')).toBeVisible()
        const email = `button-${id}@example.org`
        product.serverOf(id).person = { id: '42', name: 'Button', email, verified: true }
        await button.click()
        await expect(page.getByRole('main').getByText(email)).toBeVisible()
        expect(new URL(page.url()).pathname).toBe('/sign-in')
      })
    })
  }
}
