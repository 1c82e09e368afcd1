import type { Page } from '@playwright/test'
import { expect, password, randomIp, signIn, signUp, test } from 'plinth/testing/browser'

test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': randomIp() }))

/** Elsewhere, so that the page does not know. */
async function endSession(page: Page) {
  await page.context().request.post('/api/auth/signout', { data: { redirect: false } })
}

test('a form of an ended session signs in beside it and then saves', async ({ page }) => {
  await signUp(page.context(), 'Bea Long')
  await page.goto('/account')
  await page.getByLabel('Name').fill('Bea Short')
  await endSession(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Your session has ended.' })
  await alert.getByRole('link', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in and save' })
  await expect(dialog.getByLabel('Password')).toBeFocused()
  await expect(dialog.getByLabel('Email')).toHaveJSProperty('readOnly', true)
  await dialog.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Profile saved.' }).first()).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('Bea Short')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Bea Short' })).toBeVisible()
})

test('a form of one user is not saved as another', async ({ page }) => {
  await signUp(page.context(), 'Bea Long')
  await page.goto('/account')
  await page.getByLabel('Name').fill('Bea Short')
  await endSession(page)
  const save = page.getByRole('button', { name: 'Save changes' })
  await save.click()
  await expect(page.getByText('Your session has ended.')).toBeVisible()
  await signIn(page.context(), 'viewer@example.com')
  await save.click()
  await expect(page.getByText('You are signed in as viewer@example.com now.')).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('Bea Short')
  await page.reload()
  await expect(page.getByLabel('Name')).not.toHaveValue('Bea Short')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a form of an ended session shows the typed text and a way to sign in', async ({ page }) => {
    await signUp(page.context(), 'Bea Long')
    await page.goto('/account')
    await page.getByLabel('Name').fill('Bea Short')
    await endSession(page)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByRole('heading', { name: 'Your session has ended.' })).toBeVisible()
    await expect(page.getByLabel('Name')).toHaveValue('Bea Short')
    const link = page.getByRole('link', { name: 'Sign in in a new tab' })
    await expect(link).toHaveAttribute('target', '_blank')
  })
})
