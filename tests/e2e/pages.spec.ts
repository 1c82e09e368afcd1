import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import {
  collectErrors,
  combinations,
  expect,
  expectAccessible,
  expectEveryScreen,
  saveScreenshot,
  screens,
  setScreen,
  signIn,
  test,
} from 'plinth/testing/browser'
import { config } from '@/plinth.config'

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

type Admin = { page: Page; errors: string[]; withoutScripts: Page }

/** Browsers of an admin, which stay open: a page then takes half of the time. */
const adminTest = test.extend<object, { admin: Admin }>({
  admin: [
    async ({ browser }, use, { project }) => {
      const { baseURL = '' } = project.use
      const context = await browser.newContext({ baseURL })
      await signIn(context, 'admin@example.com')
      const plain = await browser.newContext({ baseURL, javaScriptEnabled: false })
      await plain.addCookies(await context.cookies())
      const page = await context.newPage()
      const errors = await collectErrors(page)
      await use({ page, errors, withoutScripts: await plain.newPage() })
      await Promise.all([context.close(), plain.close()])
    },
    { scope: 'worker' },
  ],
})

for (const [index, path] of pages.entries()) {
  // `npm test` shows half of the pages on each of two screens.
  const shown = screens.length > 1 ? screens : combinations.slice(index % 2, (index % 2) + 1)
  adminTest(`${path} renders, with and without JavaScript`, async ({ admin }) => {
    const { page, errors, withoutScripts } = admin
    errors.length = 0
    const response = await page.goto(path)
    expect(response?.status()).toBe(200)
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toHaveCount(1)
    await expect(page).toHaveTitle(new RegExp(config.name))
    await expectEveryScreen(page, `page${path.replaceAll('/', '-')}`, [], shown)
    expect(errors, 'browser errors').toEqual([])

    await withoutScripts.goto(path)
    const plainHeading = withoutScripts.getByRole('heading', { level: 1 })
    await expect(plainHeading).toBeVisible()
    await expect(plainHeading).toHaveText((await heading.textContent()) ?? '')
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
