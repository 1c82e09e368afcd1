import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility'

const widths = [390, 1440] as const
const themes = ['light', 'dark'] as const

type Theme = (typeof themes)[number]

export const screens = widths.flatMap((width) => themes.map((theme) => ({ width, theme })))

/** Without animations. */
export async function setScreen(page: Page, width: number, theme: Theme) {
  await page.setViewportSize({ width, height: width < 600 ? 844 : 900 })
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
}

/**
 * Checks the current page at each width and in each theme: accessible, without horizontal scroll,
 * and saved as a screenshot. A theme changes colors only, so the dark one is checked for contrast
 * only.
 */
export async function expectEveryScreen(page: Page, name: string, disabledRules: string[] = []) {
  test.setTimeout(test.info().timeout + 30_000)
  for (const width of widths) {
    for (const theme of themes) {
      await setScreen(page, width, theme)
      await page.waitForFunction(() => document.getAnimations().length === 0)
      const rules = theme === 'light' ? undefined : ['color-contrast']
      await expectAccessible(page, disabledRules, rules)
      await saveScreenshot(page, name, width, theme)
    }
    await expectNoHorizontalScroll(page)
  }
}

export async function expectNoHorizontalScroll(page: Page) {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
}

/** To look at, so not in CI: they take a tenth of the time of the browser tests. */
export async function saveScreenshot(page: Page, name: string, width: number, theme: Theme) {
  if (process.env.CI === 'true' && process.env.NIGHTLY !== 'true') return
  await page.screenshot({
    path: `test-results/screenshots/${name}-${width}-${theme}.png`,
    fullPage: true,
    animations: 'disabled',
  })
}
