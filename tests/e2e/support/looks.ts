import type { Page } from '@playwright/test'

const widths = [390, 1440] as const
const themes = ['light', 'dark'] as const

type Width = (typeof widths)[number]
type Theme = (typeof themes)[number]

export const looks = widths.flatMap((width) => themes.map((theme) => ({ width, theme })))

/** Nothing moves, so that what is looked at is what stays. */
export async function lookAt(page: Page, width: number, theme: Theme) {
  await page.setViewportSize({ width, height: width < 600 ? 844 : 900 })
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
}

export async function saveScreenshot(page: Page, name: string, width: Width, theme: Theme) {
  await page.screenshot({
    path: `test-results/screenshots/${name}-${width}-${theme}.png`,
    fullPage: true,
    animations: 'disabled',
  })
}
