import { expect, signIn, signUp, test } from 'plinth/testing/browser'

test('the palette finds users for admins only', async ({ page, context }) => {
  const name = `Wilhelmina ${Date.now()}`
  await signUp(context, name)
  await signIn(context, 'admin@example.com')
  await page.goto('/home')
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('ControlOrMeta+k')
  const box = page.getByRole('combobox', { name: 'Search pages and records' })
  await box.fill('audit')
  await expect(page.getByRole('option', { name: 'Audit log' })).toBeVisible()
  await box.fill(name)
  await expect(page.getByRole('option', { name })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

  await signIn(context, 'viewer@example.com')
  await page.goto('/home')
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('ControlOrMeta+k')
  await box.fill(name)
  await expect(page.getByText(`No results for “${name}”.`)).toBeVisible()
})
