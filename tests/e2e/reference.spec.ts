import { expectEveryLook } from './support/looks'
import { expect, test } from './support/test'

test('a person signs in, puts the token under Authorize, and tries a call', async ({ page }) => {
  await page.goto('/api/docs')
  const signIn = page.locator('#operations-auth-sign_in')
  await signIn.getByRole('button').first().click()
  await signIn.getByRole('button', { name: 'Execute' }).click()
  const answer = await signIn.locator('.live-responses-table .highlight-code').textContent()
  const [, token = ''] = /"token": "([\w-]{43})"/.exec(answer ?? '') ?? []
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

test('the reference looks right at every look', async ({ page }) => {
  await page.goto('/api/docs')
  await expect(page.getByText('Who is signed in')).toBeVisible()
  // The library's own markup: headings skip a level, buttons hold buttons, and the title is in no landmark.
  await expectEveryLook(page, 'reference', ['heading-order', 'nested-interactive', 'region'])
})
