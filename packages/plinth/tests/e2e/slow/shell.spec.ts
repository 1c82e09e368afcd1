import { expect, expectNoHorizontalScroll, setScreen, test } from 'plinth/testing/browser'
import { config } from '@/plinth.config'

test('start page links have targets', async ({ page, request }) => {
  await page.goto('/start')
  await expect(page).toHaveTitle(`${config.name} is running`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`${config.name} is running`)
  await expect(page.getByRole('link', { name: '/api/health', exact: true })).toBeVisible()
  for (const link of await page.locator('a[href^="#"]').all()) {
    const target = await link.getAttribute('href')
    await expect(page.locator(String(target))).toHaveCount(1)
  }
  expect((await request.get('/icon.svg')).ok()).toBe(true)
})

test('skip link is first in tab order and focuses the content', async ({ page }) => {
  await page.goto('/start')
  await page.keyboard.press('Tab')
  const skipLink = page.getByRole('link', { name: 'Skip to content' })
  await expect(skipLink).toBeFocused()
  await expect(skipLink).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('a page contains one shell and none of the status pages', async ({ request }) => {
  const html = await (await request.get('/sign-in')).text()
  // As markup: the React payload refers to the client component.
  expect(html.split('Skip to content')).toHaveLength(2)
})

test.describe('an unknown URL', () => {
  test.use({ allowedErrors: /status of 404/ })

  test('returns 404 with a custom page', async ({ page }) => {
    const response = await page.goto('/there-is-no-such-page')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page not found.' })).toBeVisible()
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await expect(page).toHaveURL(/\/$/)
  })
})

test.describe('navigation', () => {
  test('is a row of links on a wide screen', async ({ page }) => {
    await setScreen(page, 1440, 'light')
    await page.goto('/start')
    await expect(page.getByRole('button', { name: 'Menu', exact: true })).toBeHidden()
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await navigation.getByRole('link', { name: 'Project layout' }).click()
    await expect(page).toHaveURL(/#layout$/)
  })

  test('is a menu on a phone that works with the keyboard', async ({ page }) => {
    await setScreen(page, 390, 'light')
    await page.goto('/start')
    const button = page.getByRole('button', { name: 'Menu', exact: true })
    const link = page.getByRole('link', { name: 'Project layout' })
    await expect(link).toBeHidden()
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(link).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(link).toBeHidden()
    await expect(button).toBeFocused()
  })

  test('closes the phone menu when a link in it is followed', async ({ page }) => {
    await setScreen(page, 390, 'light')
    await page.goto('/start')
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    const link = page.getByRole('link', { name: 'Project layout' })
    await link.click()
    await expect(page).toHaveURL(/#layout$/)
    await expect(link).toBeHidden()
  })
})

for (const width of [320, 390, 1440]) {
  for (const path of ['/', '/there-is-no-such-page']) {
    test.describe(`${path} at ${width} px`, () => {
      test.use({ allowedErrors: /status of 404/ })

      test('does not scroll horizontally', async ({ page }) => {
        await setScreen(page, width, 'light')
        await page.goto(path)
        await expectNoHorizontalScroll(page)
      })
    })
  }
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the menu works, the theme follows the system, and the theme control is hidden', async ({
    page,
  }) => {
    await setScreen(page, 390, 'dark')
    await page.goto('/start')
    await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(21, 20, 18)')
    await expect(page.getByRole('group', { name: 'Theme' })).toBeHidden()
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await expect(page.getByRole('link', { name: 'What is running' })).toBeVisible()
  })
})
