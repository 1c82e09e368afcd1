import { randomUUID } from 'node:crypto'
import type { Route } from '@playwright/test'
import { expect, linkTo, password, randomIp, test } from 'plinth/testing/browser'

test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': randomIp() }))

/** The browser keeps the page, as while it waits for the response. */
const stayHere = (route: Route) => route.fulfill({ status: 204 })

test('a password can be shown by keyboard, and is hidden again when the form is sent', async ({
  page,
}) => {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill('editor@example.com')
  const field = page.getByLabel('Password')
  await field.fill('not the password')
  await field.press('Tab')
  const toggle = page.getByRole('button', { name: 'Show password' })
  await expect(toggle).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(field).toHaveAttribute('type', 'text')
  await expect(page.getByRole('button', { name: 'Hide password' })).toBeFocused()
  await page.route('**/api/auth/signin', stayHere)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(field).toHaveAttribute('type', 'password')
})

test('the sign-in form is sent once, and again after going back', async ({ page }) => {
  let posts = 0
  await page.route('**/api/auth/signin', async (route) => {
    posts += 1
    await stayHere(route)
  })
  await page.goto('/sign-in?callbackUrl=%2Fstart')
  await page.getByLabel('Email').fill('editor@example.com')
  await page.getByLabel('Password').fill('plinth-demo-1')
  const submit = page.getByRole('button', { name: 'Sign in' })
  await page.getByLabel('Password').press('Enter')
  await expect(submit).toHaveAttribute('aria-busy', 'true')
  await page.getByLabel('Password').press('Enter')
  await submit.click({ force: true })
  expect(posts).toBe(1)

  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(submit).not.toHaveAttribute('aria-busy')
  await page.unroute('**/api/auth/signin')
  await submit.click()
  await expect(page).toHaveURL('/start')
})

test('a new password shows its strength while it is typed', async ({ page }) => {
  const email = `${randomUUID().slice(0, 8)}@example.com`
  await page.goto('/sign-up')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.goto(await linkTo(email))
  const field = page.getByLabel('Password')
  await field.pressSequentially('short')
  const hint = page.locator('[aria-live="polite"]').filter({ hasText: /./ })
  await expect(hint).toHaveText('Too short. Use at least 10 characters.')
  await field.fill(password)
  await expect(hint).toHaveText('Strong.')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('there is no button that would do nothing', async ({ page }) => {
    await page.goto('/sign-in')
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Show password' })).toBeHidden()
  })
})
