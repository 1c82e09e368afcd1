import { expectEveryLook } from '@tests/e2e/support/looks'
import { expect, test } from '@tests/e2e/support/test'
import { landing } from '../content'

test('the landing page, at every look', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(landing.headline)
  await expectEveryLook(page, 'landing')
})

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
