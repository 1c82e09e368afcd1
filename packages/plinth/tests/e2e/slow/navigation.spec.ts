import { expect, expectAccessible, signIn, test } from 'plinth/testing/browser'
import { config } from '@/plinth.config'

/** Lost by a full page load. */
const mark = () => {
  Object.assign(window, { kept: true })
}
const isKept = () => 'kept' in window

test('links open pages without a full load, and focus and title follow', async ({ page }) => {
  await page.goto('/sign-in')
  await page.waitForLoadState('networkidle')
  await page.evaluate(mark)
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))

  const link = page.getByRole('link', { name: 'Forgot your password?' })
  const prefetched = page.waitForResponse(
    (response) =>
      response.url().includes('/forgot') &&
      !response.request().headers()['next-router-segment-prefetch'],
  )
  await link.hover()
  await prefetched
  await page.waitForLoadState('networkidle')
  requested.length = 0
  await link.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reset your password')
  expect(requested.filter((url) => url.includes('/forgot'))).toEqual([])
  await expect(page).toHaveTitle(/^Reset/)
  await expect(page).toHaveURL(/\/forgot$/)
  expect(await page.evaluate(() => document.activeElement?.closest('main')?.id)).toBe('main')

  await page.goBack()
  await expect(page).toHaveTitle(`Sign in · ${config.name}`)
  await expect(page.getByLabel('Email')).toBeFocused()
  expect(await page.evaluate(isKept)).toBe(true)
})

test('a click with a modifier key is left to the browser', async ({ page, context }) => {
  await page.goto('/sign-in')
  await page.waitForLoadState('networkidle')
  const opened = context.waitForEvent('page')
  await page
    .getByRole('link', { name: 'Forgot your password?' })
    .click({ modifiers: ['ControlOrMeta'] })
  await expect(await opened).toHaveURL(/\/forgot$/)
  await expect(page).toHaveURL(/\/sign-in$/)
})

test('a slow page shows a progress bar', async ({ page }) => {
  await page.goto('/sign-in')
  await page.waitForLoadState('networkidle')
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/\/forgot/, async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  const progress = page.getByRole('progressbar', { name: 'Loading the page' })
  await expect(progress).toBeVisible()
  answer()
  await expect(progress).toBeHidden()
})

test('a page with unsaved text can stop a navigation', async ({ page }) => {
  await page.goto('/sign-in')
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => {
    document.addEventListener('plinth:navigate', (event) => event.preventDefault(), { once: true })
  })
  const link = page.getByRole('link', { name: 'Forgot your password?' })
  await link.click()
  await expect(page).toHaveURL(/\/sign-in$/)
  await link.click()
  await expect(page).toHaveURL(/\/forgot$/)
})

test('the home page greets the user and its palette finds pages by keyboard', async ({
  page,
  context,
}) => {
  await signIn(context, 'viewer@example.com')
  await page.goto('/sign-in')
  await page.goto('/home')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome')
  await page.waitForLoadState('networkidle')
  await page.evaluate(mark)
  await page.keyboard.press('ControlOrMeta+k')
  const box = page.getByRole('combobox', { name: 'Search pages and records' })
  await expect(box).toBeFocused()
  await expect(page.getByRole('option', { name: 'Home' })).toBeVisible()
  await expectAccessible(page)
  await box.fill('no such page')
  await expect(page.getByText('No results for “no such page”.')).toBeVisible()
  await box.fill('hom')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(box).toBeHidden()
  await page.getByRole('button', { name: 'Search' }).click()
  await box.fill('home')
  await expect(page.getByRole('option', { name: 'Home', selected: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(box).toBeHidden()
  expect(await page.evaluate(isKept)).toBe(true)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('links load pages, and nothing that needs scripts is shown', async ({ page, context }) => {
    await signIn(context, 'viewer@example.com')
    await page.goto('/home')
    await expect(page.getByRole('button', { name: 'Search' })).toBeHidden()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
    await expect(page).toHaveURL(/\/home$/)
  })
})
