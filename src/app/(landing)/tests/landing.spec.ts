import { expectEveryScreen } from '@tests/e2e/support/screens'
import { expect, test } from '@tests/e2e/support/test'
import { landing } from '../content'

test('the landing page renders on every screen', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(landing.headline)
  await expectEveryScreen(page, 'landing')
})

test('is prerendered and cacheable', async ({ request }) => {
  const response = await request.get('/')
  expect(response.headers()['x-nextjs-cache']).toBe('HIT')
  expect(response.headers()['cache-control']).toContain('s-maxage')
})

test('links return 200', async ({ page, request }) => {
  await page.goto('/')
  const links = await page.getByRole('main').getByRole('link').all()
  expect(links.length).toBeGreaterThan(2)
  for (const link of links) {
    const href = (await link.getAttribute('href')) ?? ''
    expect((await request.get(href)).status(), href).toBe(200)
  }
})
