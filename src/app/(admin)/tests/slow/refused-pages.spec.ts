import { expect, signIn, test } from 'plinth/testing/browser'
import { config } from '@/plinth.config'

test.use({ allowedErrors: /status of 40[34]/ })

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('a refused page has its own title and text', async ({ page, context }) => {
      await signIn(context, 'viewer@example.com')
      const denied = await page.goto('/admin/users')
      expect(denied?.status()).toBe(403)
      await expect(page).toHaveTitle(`Access denied · ${config.name}`)
      await expect(page.getByText('Your role does not allow it.')).toBeVisible()

      await signIn(context, 'admin@example.com')
      const missing = await page.goto('/admin/users/00000000-0000-4000-8000-000000000000')
      expect(missing?.status()).toBe(404)
      await expect(page).toHaveTitle(`Page not found · ${config.name}`)
      await expect(page.getByRole('heading', { name: 'Page not found.' })).toBeVisible()
    })
  })
}

test('a link to a refused page leads to the same title and text', async ({ page, context }) => {
  await signIn(context, 'viewer@example.com')
  await page.goto('/home')
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => {
    const link = document.createElement('a')
    link.href = '/admin/users'
    link.textContent = 'Users of this app'
    document.querySelector('main')?.append(link)
  })
  await page.getByRole('link', { name: 'Users of this app' }).click()
  await expect(page).toHaveTitle(`Access denied · ${config.name}`)
  await expect(page).toHaveURL(/\/admin\/users$/)
})
