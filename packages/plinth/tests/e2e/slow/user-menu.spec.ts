import type { Page } from '@playwright/test'
import {
  expect,
  expectEveryScreen,
  expectNoHorizontalScroll,
  setScreen,
  test,
} from 'plinth/testing/browser'

async function signIn(page: Page, to: string) {
  await page.goto(`/sign-in?callbackUrl=${encodeURIComponent(to)}`)
  await page.getByLabel('Email').fill('editor@example.com')
  await page.getByLabel('Password').fill('plinth-demo-1')
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const header = (page: Page) => page.getByRole('banner')
const menuButton = (page: Page) => header(page).getByRole('button', { name: 'Demo Editor' })

test('a prerendered page shows the signed-in user, and the sign-in link after sign-out', async ({
  page,
}) => {
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

test('the menu works with the keyboard', async ({ page }) => {
  await signIn(page, '/sign-in')
  await menuButton(page).focus()
  await page.keyboard.press('Enter')
  // Links of modules come first.
  const links = await header(page).locator('#user-menu a').count()
  for (let step = 0; step <= links; step += 1) await page.keyboard.press('Tab')
  await expect(header(page).getByRole('button', { name: 'Sign out' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(header(page).getByRole('button', { name: 'Sign out' })).toBeHidden()
  await expect(menuButton(page)).toBeFocused()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a page rendered per request has the menu, which signs out', async ({ page }) => {
    await signIn(page, '/forgot')
    await menuButton(page).click()
    await header(page).getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL('/')
    await page.goto('/forgot')
    await expect(header(page).getByRole('link', { name: 'Sign in' })).toBeVisible()
    await expect(header(page).getByRole('link', { name: 'Create account' })).toBeVisible()
  })
})

test('the open menu is accessible on every screen', async ({ page }) => {
  await signIn(page, '/')
  await menuButton(page).click()
  await expect(header(page).getByText('editor@example.com')).toBeVisible()
  await expectEveryScreen(page, 'user-menu')
})

test('the menu fits at 320 px', async ({ page }) => {
  await setScreen(page, 320, 'light')
  await signIn(page, '/')
  await menuButton(page).click()
  await expectNoHorizontalScroll(page)
  await expect(header(page).getByRole('button', { name: 'Sign out' })).toBeInViewport({ ratio: 1 })
})
