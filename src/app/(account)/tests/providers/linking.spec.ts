import type { Page } from '@playwright/test'
import { expectAccessible } from '@tests/e2e/support/accessibility'
import { lookAt, looks, saveScreenshot } from '@tests/e2e/support/looks'
import { expect, test } from '@tests/e2e/support/test'
import {
  type ProductWithProviders,
  startProductWithProviders,
} from '@tests/support/providers/product'
import { installed } from '@/core/auth/providers/installed'

test.describe.configure({ mode: 'serial' })

let product: ProductWithProviders

test.beforeAll(async () => {
  product = await startProductWithProviders()
})
test.afterAll(() => product.stop())

async function signIn(page: Page) {
  await page.goto(`${product.url}/sign-in?callbackUrl=%2Faccount`)
  await page.getByLabel('E-mail').fill('viewer@example.com')
  await page.getByLabel('Password').fill('plinth-demo-1')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Your account', exact: true })).toBeVisible()
}

const way = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const told = (page: Page, text: string) =>
  page.getByRole('main').getByRole('status').filter({ hasText: text })

const someone = { id: '4711', name: 'Elsewhere', email: 'elsewhere@example.org', verified: true }

for (const { id, name } of installed) {
  for (const javaScriptEnabled of [true, false]) {
    test.describe(`${name}, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
      test.use({ javaScriptEnabled })

      test('is linked and unlinked', async ({ page }) => {
        product.serverOf(id).person = someone
        await signIn(page)
        await expect(way(page, name)).toContainText('Not linked')
        await way(page, name)
          .getByRole('button', { name: `Link ${name}` })
          .click()
        await expect(told(page, 'Linked.')).toBeVisible()
        await way(page, name).getByRole('button', { name: 'Unlink' }).click()
        await page.getByRole('button', { name: 'Unlink it' }).click()
        await expect(told(page, 'Unlinked.')).toBeVisible()
        await expect(way(page, name)).toContainText('Not linked')
      })

      test('a refusal leads back here and says why', async ({ page }) => {
        product.serverOf(id).person = 'refuses'
        await signIn(page)
        await way(page, name)
          .getByRole('button', { name: `Link ${name}` })
          .click()
        await expect(page).toHaveURL(`${product.url}/account?error=oauth_denied`)
        await expect(page.getByRole('main').getByRole('alert')).toContainText('was told not to')
      })
    })
  }

  test(`who came by ${name} and has no password is told, can have a link, and cannot unlink it`, async ({
    page,
  }) => {
    const email = `only-${id}@example.org`
    product.serverOf(id).person = { ...someone, id: '4712', email }
    await page.goto(`${product.url}/sign-in?callbackUrl=%2Faccount`)
    await page.getByRole('button', { name: `Continue with ${name}` }).click()
    await expect(way(page, name)).toContainText('Your only way in')
    await expect(page.getByRole('button', { name: 'Unlink' })).toHaveCount(0)
    await expect(page.getByLabel('Current password')).toHaveCount(0)
    for (const { width, theme } of looks) {
      await lookAt(page, width, theme)
      await expectAccessible(page)
      await saveScreenshot(page, 'account-without-password', width, theme)
    }
    await page.getByRole('button', { name: 'Send me the link' }).click()
    await expect(told(page, `We have sent a message to ${email}.`)).toBeVisible()
    await page.getByText('I want to delete my account').click()
    await page.getByLabel(/^Type your e-mail address/).fill(email)
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await expect(page.getByRole('heading', { name: 'Your account is deleted.' })).toBeVisible()
  })
}
