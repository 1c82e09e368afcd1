import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { nightly } from '#testing/nightly'

type Theme = 'light' | 'dark'
type Screen = { width: number; theme: Theme }

export const combinations: Screen[] = [
  { width: 390, theme: 'light' },
  { width: 1440, theme: 'dark' },
  { width: 390, theme: 'dark' },
  { width: 1440, theme: 'light' },
]

const shownCount = nightly ? combinations.length : process.env.CI === 'true' ? 2 : 1

/** A phone with `npm test`; in CI each width and each theme once; at night every combination. */
export const screens = combinations.slice(0, shownCount)

/** Without animations. */
export async function setScreen(page: Page, width: number, theme: Theme) {
  await page.setViewportSize({ width, height: width < 600 ? 844 : 900 })
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
}

/** Checks that the current page is accessible and has no horizontal scroll; takes a screenshot. */
export async function expectEveryScreen(
  page: Page,
  name: string,
  disabledRules: string[] = [],
  shown = screens,
) {
  test.setTimeout(test.info().timeout + 30_000)
  await page.bringToFront()
  for (const { width, theme } of shown) {
    await setScreen(page, width, theme)
    await waitForAnimations(page)
    await expectAccessible(page, disabledRules)
    await expectNoHorizontalScroll(page)
    await saveScreenshot(page, name, width, theme)
  }
}

/** Polls by time: a page in the background has no animation frames. */
export async function waitForAnimations(page: Page) {
  await page.waitForFunction(() => document.getAnimations().length === 0, undefined, {
    polling: 50,
  })
}

export async function expectNoHorizontalScroll(page: Page) {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
}

/** For review, at night. */
export async function saveScreenshot(page: Page, name: string, width: number, theme: Theme) {
  if (!nightly) return
  await page.screenshot({
    path: `test-results/screenshots/${name}-${width}-${theme}.png`,
    fullPage: true,
    animations: 'disabled',
  })
}

export async function expectAccessible(page: Page, disabledRules: string[] = []) {
  // Next replaces the title a moment after the page that a form leads to.
  await expect(page).toHaveTitle(/./)
  const { violations } = await new AxeBuilder({ page })
    // Legacy mode needs no second page; it does not check frames, and there are none.
    .setLegacyMode()
    // The development server's own overlay is not part of the page.
    .exclude('nextjs-portal')
    .options({
      resultTypes: ['violations'],
      rules: Object.fromEntries(disabledRules.map((rule) => [rule, { enabled: false }])),
    })
    .analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html)}`)
  expect(found).toEqual([])
}
