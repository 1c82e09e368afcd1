import { expect as defaultExpect, expectAccessible, nightly, test } from 'plinth/testing/browser'
import { installed } from '../../../../support/installed-providers'

const expect = defaultExpect.configure({ timeout: 30_000 })

// The development server is several times slower than the production build.
test.describe.configure({ timeout: 180_000 })

/** Compiles the pages first: the development server reloads open pages while it compiles. */
test.beforeAll(async ({ request }) => {
  const bases = installed.map(({ id }) => `/dev/oauth/${id}`)
  const pages = bases.flatMap((base) => [`${base}/login/oauth/authorize`, `${base}/keys`])
  for (const path of ['/sign-in', ...pages, '/api/auth/providers']) await request.get(path)
})

for (const { name } of installed) {
  for (const javaScriptEnabled of nightly ? [true, false] : [true]) {
    test.describe(`${name}, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
      test.use({ javaScriptEnabled })

      test('signs in with any profile', async ({ page }) => {
        const email = `ada-${name}-${javaScriptEnabled}@example.org`.toLowerCase()
        await page.goto('/sign-in?callbackUrl=%2Fsign-in')
        await page.getByRole('button', { name: `Continue with ${name}` }).click()
        await expect(page.getByRole('heading', { name: `${name} (development)` })).toBeVisible()
        await page.getByLabel('Name').fill('Ada')
        await page.getByLabel('Email', { exact: true }).fill(email)
        await page.getByRole('button', { name: 'Continue' }).click()
        await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
        await expect(page.getByRole('main').getByText(email)).toBeVisible()
        expect(new URL(page.url()).search).toBe('')
      })
    })
  }
}

for (const { name } of nightly ? installed : installed.slice(0, 1)) {
  test(`${name}: shows an error for an unverified email`, async ({ page }) => {
    await page.goto('/sign-in')
    await page.getByRole('button', { name: `Continue with ${name}` }).click()
    await page.getByLabel('Email', { exact: true }).fill(`unverified-${name}@example.org`)
    await page.getByLabel('Email is verified').uncheck()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('The provider has not verified your email.')).toBeVisible()
  })

  test(`${name}: shows an error after the user cancels`, async ({ page }) => {
    await page.goto('/sign-in')
    await page.getByRole('button', { name: `Continue with ${name}` }).click()
    await expect(page.getByRole('heading', { name: `${name} (development)` })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('Sign-in was canceled.')).toBeVisible()
  })
}
