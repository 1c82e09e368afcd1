import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility'

const widths = [390, 1440] as const
const themes = ['light', 'dark'] as const

type Theme = (typeof themes)[number]

export const looks = widths.flatMap((width) => themes.map((theme) => ({ width, theme })))

/** Nothing moves, so that what is looked at is what stays. */
export async function lookAt(page: Page, width: number, theme: Theme) {
  await page.setViewportSize({ width, height: width < 600 ? 844 : 900 })
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
}

/**
 * The page as it stands, at each width in each theme: accessible, within its width, and kept as a
 * picture. A theme changes colours and nothing else, so the second is held to the rule on colours.
 */
export async function expectEveryLook(page: Page, name: string, rulesLeftOut: string[] = []) {
  // Four looks take longer than one, on top of what led here.
  test.setTimeout(test.info().timeout + 30_000)
  for (const width of widths) {
    for (const theme of themes) {
      await lookAt(page, width, theme)
      await page.waitForFunction(() => document.getAnimations().length === 0)
      await expectAccessible(page, rulesLeftOut, theme === 'light' ? undefined : ['color-contrast'])
      await saveScreenshot(page, name, width, theme)
    }
    await expectNoSidewaysScroll(page)
  }
}

export async function expectNoSidewaysScroll(page: Page) {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
}

export async function saveScreenshot(page: Page, name: string, width: number, theme: Theme) {
  await page.screenshot({
    path: `test-results/screenshots/${name}-${width}-${theme}.png`,
    fullPage: true,
    animations: 'disabled',
  })
}
