import { expect, signUp, test } from 'plinth/testing/browser'

test('a message is a toast that is shown once, and focus is not lost', async ({
  page,
  context,
}) => {
  await signUp(context, 'Ada')
  await page.goto('/account')
  await page.waitForLoadState('networkidle')
  await page.getByLabel('Name').fill('Grace')
  await page.getByRole('button', { name: 'Save', exact: false }).first().click()
  const toast = page.locator('.toast')
  await expect(toast).toHaveText(/saved/i)
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true)
  // The response that showed it carried no cookie: it is not shown again.
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('plinth.flash')
  await page.reload()
  await page.waitForLoadState('networkidle')
  await expect(toast).toBeHidden()
  await page.goBack()
  await expect(toast).toBeHidden()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a message is a notice that is gone after a reload', async ({ page, context }) => {
    await signUp(context, 'Ada')
    await page.goto('/account')
    await page.getByLabel('Name').fill('Grace')
    await page.getByRole('button', { name: 'Save', exact: false }).first().click()
    const notice = page.locator('.flash-notice')
    await expect(notice).toHaveText(/saved/i)
    await page.reload()
    await expect(notice).toBeHidden()
  })
})
