import type { Page } from '@playwright/test'
import { expect, test } from 'plinth/testing/browser'

const dark = 'rgb(21, 20, 18)'
const light = 'rgb(250, 249, 246)'

test('theme follows the system, also while the page is open', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/')
  await expectTheme(page, 'dark')
  await expect(choice(page, 'System')).toBeChecked()
  await page.emulateMedia({ colorScheme: 'light' })
  await expectTheme(page, 'light')
})

test('theme is chosen by keyboard and stored', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  await choice(page, 'System').focus()
  await page.keyboard.press('ArrowRight')
  await expect(choice(page, 'Light')).toBeChecked()
  await page.keyboard.press('ArrowRight')
  await expect(choice(page, 'Dark')).toBeChecked()
  await expectTheme(page, 'dark')
  const browserColor = page.locator('meta[name="theme-color"]').first()
  await expect(browserColor).toHaveAttribute('content', '#1d1c19')

  await page.reload()
  await expectTheme(page, 'dark')
  await expect(choice(page, 'Dark')).toBeChecked()

  await expect(browserColor).toHaveAttribute('content', '#1d1c19')
  await choice(page, 'System').check()
  await expectTheme(page, 'light')
  await expect(browserColor).toHaveAttribute('media', '(prefers-color-scheme: dark)')
})

test('theme is set before the first paint', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.addInitScript(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: as the server sets it at sign-in.
    document.cookie = 'theme=dark;Path=/'
    const observer = new MutationObserver(() => {
      if (!document.documentElement?.dataset.theme) return
      observer.disconnect()
      performance.mark('theme', { detail: { bodyExisted: document.body !== null } })
    })
    observer.observe(document, { attributes: true, childList: true, subtree: true })
  })
  await page.goto('/')
  await expectTheme(page, 'dark')
  const times = await page.evaluate(async () => {
    const [paint] = await new Promise<PerformanceEntryList>((resolve) =>
      new PerformanceObserver((list) => resolve(list.getEntriesByName('first-paint'))).observe({
        type: 'paint',
        buffered: true,
      }),
    )
    const mark = performance.getEntriesByName('theme')[0] as PerformanceMark
    return { theme: mark.startTime, paint: paint?.startTime, ...mark.detail }
  })
  expect(times.bodyExisted).toBe(false)
  expect(times.theme).toBeLessThan(Number(times.paint))
})

test('theme is the same in every open tab', async ({ page, context }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  const other = await context.newPage()
  await other.goto('/')
  await choice(other, 'Dark').check()
  await expectTheme(page, 'dark')
  await expect(choice(page, 'Dark')).toBeChecked()
})

test('theme can be chosen when cookies are blocked', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.addInitScript(() => {
    Object.defineProperty(document, 'cookie', { get: () => '', set: () => {} })
  })
  await page.goto('/')
  await expectTheme(page, 'light')
  await choice(page, 'Dark').check()
  await expectTheme(page, 'dark')
})

function choice(page: Page, name: string) {
  return page.getByRole('group', { name: 'Theme' }).getByRole('radio', { name })
}

async function expectTheme(page: Page, theme: 'light' | 'dark') {
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
  await expect(page.locator('html')).toHaveCSS('background-color', theme === 'dark' ? dark : light)
}
