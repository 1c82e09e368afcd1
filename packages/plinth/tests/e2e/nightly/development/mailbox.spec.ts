import { randomUUID } from 'node:crypto'
import { expect, expectAccessible, saveScreenshot, setScreen, test } from 'plinth/testing/browser'

// Chromium reports that scripts are blocked in the sandboxed message. React's development build can
// warn about buffers on Node 20, which lacks ArrayBuffer.prototype.detached.
test.use({ allowedErrors: /sandboxed|ArrayBuffer\.prototype\.detached/ })

test('shows development mail with a working link', async ({ page }) => {
  test.setTimeout(120_000)
  await setScreen(page, 1440, 'light')
  const email = `ann.${randomUUID().slice(0, 8)}@example.com`
  await page.goto('/sign-up')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()

  await page.getByRole('link', { name: 'mailbox' }).click()
  await expect(page).toHaveURL(/\/dev\/mailbox/)
  await expect(async () => {
    await page.reload()
    await expect(page.getByText(`To ${email}`)).toBeVisible({ timeout: 1000 })
  }).toPass()
  await page.getByText('View as text').click()
  await expect(page.getByText('/verify?token=')).toBeVisible()
  const link = page.frameLocator('iframe').getByRole('link', { name: 'Create account' })
  await expect(link).toHaveAttribute('href', /\/verify\?token=[\w-]{43}$/)
  await expect(link).toBeVisible()
  await saveScreenshot(page, 'mailbox', 1440, 'light')
  // Axe would also run inside the frame, where scripts are blocked.
  await page.locator('iframe').evaluate((frame) => frame.remove())
  await expectAccessible(page)
})
