import { installed } from '@/core/auth/providers/installed'
import { expectAccessible } from '../support/accessibility'
import { expect as patient, test } from '../support/test'

const expect = patient.configure({ timeout: 30_000 })

// The development server is several times slower than the product.
test.describe.configure({ timeout: 180_000 })

/** Compiled before anybody clicks: while it compiles, the development server reloads its pages. */
test.beforeAll(async ({ request }) => {
  const own = installed.map(({ id }) => `/dev/oauth/${id}`)
  const pages = own.flatMap((base) => [`${base}/login/oauth/authorize`, `${base}/keys`])
  for (const path of ['/sign-in', ...pages, '/api/auth/providers']) await request.get(path)
})

for (const { name } of installed) {
  for (const javaScriptEnabled of [true, false]) {
    test.describe(`${name}, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
      test.use({ javaScriptEnabled })

      test('a developer signs in as whom they like', async ({ page }) => {
        const email = `ada-${name}-${javaScriptEnabled}@example.org`.toLowerCase()
        await page.goto('/sign-in?callbackUrl=%2Fsign-in')
        await page.getByRole('button', { name: `Continue with ${name}` }).click()
        await expect(page.getByRole('heading', { name: `${name}, for development` })).toBeVisible()
        await page.getByLabel('Name').fill('Ada')
        await page.getByLabel('E-mail').fill(email)
        await page.getByRole('button', { name: 'Continue' }).click()
        await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
        await expect(page.getByRole('main').getByText(email)).toBeVisible()
        expect(new URL(page.url()).search).toBe('')
      })
    })
  }

  test(`${name}: an address that is not verified is told`, async ({ page }) => {
    await page.goto('/sign-in')
    await page.getByRole('button', { name: `Continue with ${name}` }).click()
    await page.getByLabel('E-mail').fill(`unverified-${name}@example.org`)
    await page.getByLabel('The address is verified').uncheck()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('has verified no e-mail address of yours')).toBeVisible()
  })

  test(`${name}: a refusal is told`, async ({ page }) => {
    await page.goto('/sign-in')
    await page.getByRole('button', { name: `Continue with ${name}` }).click()
    await expect(page.getByRole('heading', { name: `${name}, for development` })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Refuse' }).click()
    await expect(page.getByText('was told not to sign you in')).toBeVisible()
  })
}
