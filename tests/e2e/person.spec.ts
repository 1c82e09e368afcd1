import type { Page } from '@playwright/test'
import { expectEveryLook, expectNoSidewaysScroll, lookAt } from './support/looks'
import { expect, test } from './support/test'

async function signIn(page: Page, to: string) {
  await page.goto(`/sign-in?callbackUrl=${encodeURIComponent(to)}`)
  await page.getByLabel('E-mail').fill('editor@example.com')
  await page.getByLabel('Password').fill('plinth-demo-1')
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const header = (page: Page) => page.getByRole('banner')
const menuButton = (page: Page) => header(page).getByRole('button', { name: 'Demo Editor' })

test('a static page finds out who is signed in, and that nobody is any more', async ({ page }) => {
  await page.goto('/')
  await expect(header(page).getByRole('link', { name: 'Sign in' })).toBeVisible()
  await signIn(page, '/')
  await expect(menuButton(page)).toBeVisible()
  await expect(header(page).getByRole('link', { name: 'Sign in' })).toBeHidden()
  await menuButton(page).click()
  await expect(header(page).getByText('editor@example.com')).toBeVisible()
  await expect(header(page).getByText('editor', { exact: true })).toBeVisible()
  await header(page).getByRole('button', { name: 'Sign out' }).click()
  await expect(header(page).getByRole('link', { name: 'Sign in' })).toBeVisible()
  await expect(menuButton(page)).toBeHidden()
})

test('the menu opens and closes by keyboard', async ({ page }) => {
  await signIn(page, '/sign-in')
  await menuButton(page).focus()
  await page.keyboard.press('Enter')
  // Links that modules put there come before it.
  const links = await header(page).locator('#person-menu a').count()
  for (let step = 0; step <= links; step += 1) await page.keyboard.press('Tab')
  await expect(header(page).getByRole('button', { name: 'Sign out' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(header(page).getByRole('button', { name: 'Sign out' })).toBeHidden()
  await expect(menuButton(page)).toBeFocused()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a page that is rendered for the person has the menu, and it signs out', async ({
    page,
  }) => {
    await signIn(page, '/forgot')
    await menuButton(page).click()
    await header(page).getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL('/')
    await page.goto('/forgot')
    await expect(header(page).getByRole('link', { name: 'Sign in' })).toBeVisible()
    await expect(header(page).getByRole('link', { name: 'Create account' })).toBeVisible()
  })
})

test('the open menu is accessible at every look', async ({ page }) => {
  await signIn(page, '/')
  await menuButton(page).click()
  await expect(header(page).getByText('editor@example.com')).toBeVisible()
  await expectEveryLook(page, 'person')
})

test('at 320 px there is room for all of it', async ({ page }) => {
  await lookAt(page, 320, 'light')
  await signIn(page, '/')
  await menuButton(page).click()
  await expectNoSidewaysScroll(page)
  await expect(header(page).getByRole('button', { name: 'Sign out' })).toBeInViewport({ ratio: 1 })
})
