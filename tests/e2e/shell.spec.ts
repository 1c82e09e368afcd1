import { productName } from '@/core/name'
import { expectNoSidewaysScroll, lookAt } from './support/looks'
import { expect, test } from './support/test'

test('the links of the start page lead somewhere', async ({ page, request }) => {
  await page.goto('/start')
  await expect(page).toHaveTitle(`${productName} is running`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`${productName} is running`)
  await expect(page.getByRole('link', { name: '/api/health', exact: true })).toBeVisible()
  for (const link of await page.locator('a[href^="#"]').all()) {
    const target = await link.getAttribute('href')
    await expect(page.locator(String(target))).toHaveCount(1)
  }
  expect((await request.get('/icon.svg')).ok()).toBe(true)
})

test('the skip link is the first stop and leads to the content', async ({ page }) => {
  await page.goto('/start')
  await page.keyboard.press('Tab')
  const skipLink = page.getByRole('link', { name: 'Skip to content' })
  await expect(skipLink).toBeFocused()
  await expect(skipLink).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('a page is sent with one shell, not with those of pages that it might have been', async ({
  request,
}) => {
  const html = await (await request.get('/sign-in')).text()
  // As markup, and as what React needs to know of it.
  expect(html.split('Skip to content')).toHaveLength(3)
})

test.describe('an address that leads nowhere', () => {
  test.use({ allowedProblems: /status of 404/ })

  test('answers 404 with a page of our own', async ({ page }) => {
    const response = await page.goto('/there-is-no-such-page')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'There is no page here.' })).toBeVisible()
    await page.getByRole('link', { name: 'Go to the start' }).click()
    await expect(page).toHaveURL(/\/$/)
  })
})

test.describe('navigation', () => {
  test('is a row of links on a wide screen', async ({ page }) => {
    await lookAt(page, 1440, 'light')
    await page.goto('/start')
    await expect(page.getByRole('button', { name: 'Menu', exact: true })).toBeHidden()
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await navigation.getByRole('link', { name: 'Where things are' }).click()
    await expect(page).toHaveURL(/#places$/)
  })

  test('is a menu on a phone, opened and closed by keyboard', async ({ page }) => {
    await lookAt(page, 390, 'light')
    await page.goto('/start')
    const button = page.getByRole('button', { name: 'Menu', exact: true })
    const link = page.getByRole('link', { name: 'Where things are' })
    await expect(link).toBeHidden()
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(link).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(link).toBeHidden()
    await expect(button).toBeFocused()
  })

  test('closes the phone menu when a link in it is followed', async ({ page }) => {
    await lookAt(page, 390, 'light')
    await page.goto('/start')
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    const link = page.getByRole('link', { name: 'Where things are' })
    await link.click()
    await expect(page).toHaveURL(/#places$/)
    await expect(link).toBeHidden()
  })
})

for (const width of [320, 390, 1440]) {
  for (const path of ['/', '/there-is-no-such-page']) {
    test.describe(`${path} at ${width} px`, () => {
      test.use({ allowedProblems: /status of 404/ })

      test('does not scroll sideways', async ({ page }) => {
        await lookAt(page, width, 'light')
        await page.goto(path)
        await expectNoSidewaysScroll(page)
      })
    })
  }
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the menu works, the system decides the theme, and no control is offered', async ({
    page,
  }) => {
    await lookAt(page, 390, 'dark')
    await page.goto('/start')
    await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(21, 20, 18)')
    await expect(page.getByRole('group', { name: 'Theme' })).toBeHidden()
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await expect(page.getByRole('link', { name: 'What runs' })).toBeVisible()
  })
})
