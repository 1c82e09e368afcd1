import { expectEveryScreen } from './support/screens'
import { expect, test } from './support/test'

test('authorizes with a bearer token and executes a request', async ({ page }) => {
  await page.goto('/api/docs')
  const signIn = page.locator('#operations-auth-sign_in')
  await signIn.getByRole('button').first().click()
  await signIn.getByRole('button', { name: 'Execute' }).click()
  const response = await signIn.locator('.live-responses-table .highlight-code').textContent()
  const [, token = ''] = /"token": "([\w-]{43})"/.exec(response ?? '') ?? []
  expect(token).not.toBe('')

  await page.getByRole('button', { name: 'Authorize' }).click()
  const dialog = page.locator('.dialog-ux')
  await dialog.locator('#auth-bearer-value').fill(token)
  await dialog.getByRole('button', { name: 'Apply credentials' }).first().click()
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  const session = page.locator('#operations-auth-session')
  await session.getByRole('button').first().click()
  await session.getByRole('button', { name: 'Execute' }).click()
  await expect(session.locator('.live-responses-table .highlight-code').first()).toContainText(
    'viewer@example.com',
  )
})

test('API reference renders on every screen', async ({ page }) => {
  await page.goto('/api/docs')
  await expect(page.getByText('Get the current session')).toBeVisible()
  // Swagger UI's own markup skips heading levels, nests buttons and has its title outside a landmark.
  await expectEveryScreen(page, 'api-reference', ['heading-order', 'nested-interactive', 'region'])
})
