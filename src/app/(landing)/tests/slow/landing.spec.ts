import { expect, expectEveryScreen, test } from 'plinth/testing/browser'
import { landing } from '../../content'

test('the landing page renders on every screen', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(landing.headline)
  await expectEveryScreen(page, 'landing')
})

test('is prerendered and cacheable', async ({ request }) => {
  const response = await request.get('/')
  const { etag = '', 'cache-control': cacheControl } = response.headers()
  expect(cacheControl).toContain('s-maxage')
  const again = await request.get('/', { headers: { 'if-none-match': etag } })
  expect(again.status()).toBe(304)
})

test('links return 200', async ({ page, request }) => {
  await page.goto('/')
  const links = await page.getByRole('main').getByRole('link').all()
  expect(links.length).toBeGreaterThan(1)
  for (const link of links) {
    const href = (await link.getAttribute('href')) ?? ''
    expect((await request.get(href)).status(), href).toBe(200)
  }
})
