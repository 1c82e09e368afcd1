import { expectAccessible } from './support/accessibility'
import { expectEveryLook, lookAt, saveScreenshot } from './support/looks'
import { test } from './support/test'

const pages = [
  { name: 'start', path: '/' },
  { name: 'not-found', path: '/there-is-no-such-page' },
  { name: 'unavailable', path: '/unavailable' },
]

test.use({ allowedProblems: /status of 404/ })

for (const { name, path } of pages) {
  test(`${name} is accessible at every look`, async ({ page }) => {
    await page.goto(path)
    await expectEveryLook(page, name)
  })
}

test('the open phone menu is accessible', async ({ page }) => {
  await lookAt(page, 390, 'light')
  await page.goto('/')
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await expectAccessible(page)
  await saveScreenshot(page, 'phone-menu', 390, 'light')
})
