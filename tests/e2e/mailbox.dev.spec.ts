import { randomUUID } from 'node:crypto'
import { expectAccessible } from './support/accessibility'
import { lookAt, saveScreenshot } from './support/looks'
import { expect, test } from './support/test'

// The frame shows a message in which scripts are forbidden, and Chromium says that it obeys.
test.use({ allowedProblems: /sandboxed/ })

test('mail of a development server is found in the mailbox, and its link works', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await lookAt(page, 1440, 'light')
  const email = `ann.${randomUUID().slice(0, 8)}@example.com`
  await page.goto('/sign-up')
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send me the link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()

  await page.getByRole('link', { name: 'the mailbox' }).click()
  await expect(async () => {
    await page.reload()
    await expect(page.getByText(`To ${email}`)).toBeVisible({ timeout: 1000 })
  }).toPass()
  await page.getByText('As text').click()
  await expect(page.getByText('/verify?token=')).toBeVisible()
  const link = page.frameLocator('iframe').getByRole('link', { name: 'Create my account' })
  await expect(link).toHaveAttribute('href', /\/verify\?token=[\w-]{43}$/)
  await expect(link).toBeVisible()
  await saveScreenshot(page, 'mailbox', 1440, 'light')
  // Axe would run inside the frame too, where nothing may.
  await page.locator('iframe').evaluate((frame) => frame.remove())
  await expectAccessible(page)
})
