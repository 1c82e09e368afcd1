import { expectAccessible } from '@tests/e2e/support/accessibility'
import { lookAt, looks, saveScreenshot } from '@tests/e2e/support/looks'
import { expect, test } from '@tests/e2e/support/test'
import { landing } from '../content'

for (const { width, theme } of looks) {
  test(`the landing page at ${width} px, ${theme}`, async ({ page }) => {
    await lookAt(page, width, theme)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(landing.headline)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBe(0)
    await expectAccessible(page)
    await saveScreenshot(page, 'landing', width, theme)
  })
}

test('it is rendered at build time and says so to caches', async ({ request }) => {
  const response = await request.get('/')
  expect(response.headers()['x-nextjs-cache']).toBe('HIT')
  expect(response.headers()['cache-control']).toContain('s-maxage')
})

test('its links lead somewhere', async ({ page, request }) => {
  await page.goto('/')
  const links = await page.getByRole('main').getByRole('link').all()
  expect(links.length).toBeGreaterThan(2)
  for (const link of links) {
    const href = (await link.getAttribute('href')) ?? ''
    expect((await request.get(href)).status(), href).toBe(200)
  }
})
