import { expectAccessible, expectEveryScreen, saveScreenshot, setScreen } from './support/screens'
import { test } from './support/test'

const pages = [
  { name: 'start', path: '/start' },
  { name: 'not-found', path: '/there-is-no-such-page' },
  { name: 'unavailable', path: '/unavailable' },
  { name: 'form-not-sent', path: '/form-not-sent' },
]

test.use({ allowedErrors: /status of 404/ })

for (const { name, path } of pages) {
  test(`${name} is accessible on every screen`, async ({ page }) => {
    await page.goto(path)
    await expectEveryScreen(page, name)
  })
}

test('open phone menu is accessible', async ({ page }) => {
  await setScreen(page, 390, 'light')
  await page.goto('/')
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await expectAccessible(page)
  await saveScreenshot(page, 'phone-menu', 390, 'light')
})
