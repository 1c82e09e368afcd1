import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
  expect,
  expectEveryScreen,
  linkTo,
  lostConnectionErrors,
  offline,
  password,
  randomIp,
  submitForm,
  test,
} from 'plinth/testing/browser'

test.use({ allowedErrors: lostConnectionErrors })

const create = (page: Page) => page.getByRole('button', { name: 'Create account' })

async function fillAccountForm(page: Page, baseURL = '') {
  const email = `${randomUUID().slice(0, 8)}@example.com`
  await submitForm(`${baseURL}/sign-up`, { email }, { 'x-forwarded-for': randomIp() })
  await page.goto(await linkTo(email))
  // Errors are loaded after the page. Once it shows some, they are there without a network too.
  await create(page).click()
  await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Name').fill('Ann Lee')
  await page.getByLabel('Password').fill(password)
}

async function expectKept(page: Page) {
  await expect(page.getByLabel('Name')).toHaveValue('Ann Lee')
  await expect(page.getByLabel('Password')).toHaveValue(password)
}

test('a form that is sent offline stays as it is, and is sent again by keyboard', async ({
  page,
  baseURL,
}) => {
  await fillAccountForm(page, baseURL)
  await page.context().setOffline(true)
  await create(page).click()
  await expect(page.getByRole('alert').locator('p')).toHaveText(offline)
  await expectKept(page)
  // The first control of the form.
  await page.locator('form input:not([type="hidden"])').first().focus()
  await page.keyboard.press('Shift+Tab')
  const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' })
  await expect(retry).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').locator('p')).toHaveText(offline)
  await expect(retry).toBeFocused()
  await expectKept(page)
  await page.context().setOffline(false)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/home')
})

const failures: [string, (page: Page) => Promise<unknown>][] = [
  [
    'refuses the connection',
    (page) => page.route('**/*', (route) => route.abort('connectionrefused')),
  ],
  [
    'is behind a proxy that responds with 502',
    (page) =>
      page.route('**/*', (route) =>
        route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
      ),
  ],
]

for (const [name, fail] of failures) {
  test(`a form stays as it is if the server ${name}`, async ({ page, baseURL }) => {
    await fillAccountForm(page, baseURL)
    await fail(page)
    await create(page).click()
    await expect(page.getByRole('alert').locator('p')).toHaveText(
      'The server did not respond. Your changes may not be saved. Try again in a moment.',
    )
    await expectKept(page)
    await page.unroute('**/*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page).toHaveURL('/home')
  })
}

test('an email that is requested offline is requested again, also the second time', async ({
  page,
}) => {
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': randomIp() })
  await page.goto('/forgot')
  const email = `${randomUUID().slice(0, 8)}@example.com`
  const alert = page.getByRole('alert').locator('p')
  const sent = page.getByRole('heading', { name: 'Check your email' })
  for (const button of ['Send link', 'Send again']) {
    if (button === 'Send link') await page.getByLabel('Email').fill(email)
    await page.context().setOffline(true)
    await page.getByRole('button', { name: button }).click()
    await expect(alert).toHaveText(offline)
    await expect(page.getByLabel('Email')).toHaveValue(email)
    if (button === 'Send link') await expectEveryScreen(page, 'offline')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(sent).toBeVisible()
  }
})

test('a field that was refused before keeps its text when the form is sent offline', async ({
  page,
}) => {
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': randomIp() })
  await page.goto('/forgot')
  await page.getByLabel('Email').fill('no email')
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('alert').locator('p')).toHaveText(offline)
  await expect(page.getByLabel('Email')).toHaveValue('no email')
})
