import { existsSync, readFileSync } from 'node:fs'
import { productName } from '@/core/config/product-name'
import { everyNth, nightly } from '../support/nightly'
import { expectAccessible, expectEveryScreen, saveScreenshot, setScreen } from './support/screens'
import { expect, test } from './support/test'
import { anotherBrowser, signIn } from './support/users'

const routes: Record<string, string> = JSON.parse(
  readFileSync('.next/app-path-routes-manifest.json', 'utf8'),
)

/** Every page of core and of all modules that needs no parameter. */
const pages = Object.entries(routes)
  .filter(([file, path]) => file.endsWith('/page') && !/\[|^\/(_|dev\b)/.test(path))
  .map(([, path]) => path)
  .sort()

/** Shown in place of another page. */
const statusPages = [
  { name: 'start', path: '/start' },
  { name: 'not-found', path: '/there-is-no-such-page' },
  { name: 'unavailable', path: '/unavailable' },
  { name: 'form-not-sent', path: '/form-not-sent' },
]

const headingOf = (html: string) => /<h1\b[^>]*>(.*?)<\/h1>/s.exec(html)?.[1]

/** The template's modules test each of their pages, so that its CI needs only some here. */
const isApp = existsSync('plinth.json')
const rendered = everyNth(pages, isApp || nightly || !process.env.CI ? 1 : 5)

for (const path of rendered) {
  test(`${path} renders, with and without JavaScript`, async ({ page, context }) => {
    await signIn(context, 'admin@example.com')
    const response = await page.goto(path)
    expect(response?.status()).toBe(200)
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toHaveCount(1)
    await expect(page).toHaveTitle(new RegExp(productName))
    await expectEveryScreen(page, `page${path.replaceAll('/', '-')}`)

    const plain = await anotherBrowser(page, { javaScriptEnabled: false })
    await plain.addCookies(await context.cookies())
    const withoutScripts = await plain.newPage()
    await withoutScripts.goto(path)
    const plainHeading = withoutScripts.getByRole('heading', { level: 1 })
    await expect(plainHeading).toBeVisible()
    await expect(plainHeading).toHaveText((await heading.textContent()) ?? '')
    await plain.close()
  })
}

test('no page has a link to a page that does not exist', async ({ context }) => {
  await signIn(context, 'admin@example.com')
  const found = new Map<string, string>()
  for (const path of pages) {
    const html = await (await context.request.get(path)).text()
    expect(headingOf(html), path).toBeDefined()
    for (const [, link = ''] of html.matchAll(/<a\b[^>]*\bhref="(\/[^"#?]*)/g))
      found.set(link, path)
  }
  for (const [link, path] of found) {
    const response = await context.request.get(link)
    expect(response.status(), `${link} on ${path}`).toBeLessThan(400)
  }
})

test.describe('status pages', () => {
  test.use({ allowedErrors: /status of 404/ })

  for (const { name, path } of statusPages) {
    test(`${name} is accessible on every screen`, async ({ page }) => {
      await page.goto(path)
      await expectEveryScreen(page, name)
    })
  }
})

test('open phone menu is accessible', async ({ page }) => {
  await setScreen(page, 390, 'light')
  await page.goto('/')
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await expectAccessible(page)
  await saveScreenshot(page, 'phone-menu', 390, 'light')
})
