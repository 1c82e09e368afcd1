import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
  anotherBuildErrors,
  expect,
  expectEveryScreen,
  linkTo,
  password,
  randomIp,
  sendToAnotherBuild,
  submitForm,
  test,
} from 'plinth/testing/browser'

test.use({ allowedErrors: anotherBuildErrors })

async function openAccountForm(page: Page, baseURL = '') {
  const email = `${randomUUID().slice(0, 8)}@example.com`
  await submitForm(`${baseURL}/sign-up`, { email }, { 'x-forwarded-for': randomIp() })
  await page.goto(await linkTo(email))
  await page.getByLabel('Name').fill('Ann "<b>Lee')
  await page.getByLabel('Password').fill(password)
}

test('a form that an updated app does not know is filled again, without the password', async ({
  page,
  baseURL,
}) => {
  // The script reads what the reloaded page finds, before the app runs.
  await page.addInitScript(() => {
    Reflect.set(window, 'kept', sessionStorage.getItem('plinth.typed'))
  })
  await openAccountForm(page, baseURL)
  await page.getByRole('button', { name: 'Show password' }).click()
  await sendToAnotherBuild(page)
  await page.getByRole('button', { name: 'Create account' }).click()

  const alert = page.getByRole('alert').filter({ hasText: 'The app was updated.' })
  // After the page was loaded again.
  await expect(alert).toHaveText(
    'The app was updated. Your form was not sent: check it and send it again.',
    { timeout: 15_000 },
  )
  await expect(page.getByLabel('Name')).toHaveValue('Ann "<b>Lee')
  await expect(page.getByLabel('Password')).toHaveValue('')
  const kept = await page.evaluate(() => String(Reflect.get(window, 'kept')))
  expect(kept).toContain('Lee')
  expect(kept).not.toContain(password)
  expect(kept).not.toContain(new URL(page.url()).searchParams.get('token'))
  expect(await page.evaluate(() => sessionStorage.getItem('plinth.typed'))).toBeNull()
  await expectEveryScreen(page, 'form-restored')

  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL('/home')
  await expect(alert).toHaveCount(0)
})

test('a form that was sent is not kept', async ({ page }) => {
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': randomIp() })
  await page.goto('/forgot')
  await page.getByLabel('Email').fill('ann@example.com')
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('a page of another build is loaded as a whole', async ({ page }) => {
  await page.goto('/sign-in')
  await page.evaluate(() => Reflect.set(window, 'isLoadedOnce', true))
  await page.route('**/sign-up*', async (route, request) => {
    if (request.headers().rsc === undefined) return route.continue()
    const response = await route.fetch()
    expect(response.headers()['x-nextjs-deployment-id']).toBeTruthy()
    const headers = { ...response.headers(), 'x-nextjs-deployment-id': 'another' }
    await route.fulfill({ response, headers })
  })
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
  expect(await page.evaluate(() => Reflect.get(window, 'isLoadedOnce'))).toBeUndefined()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a form that an updated app does not know is shown to copy, without the password', async ({
    page,
    baseURL,
  }) => {
    await openAccountForm(page, baseURL)
    const form = page.url()
    await sendToAnotherBuild(page)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('heading', { name: 'The app was updated.' })).toBeVisible()
    await expect(page.getByLabel('Name')).toHaveValue('Ann "<b>Lee')
    expect(await page.content()).not.toContain(password)
    const link = page.getByRole('link', { name: 'Open the page in a new tab' })
    expect(await link.evaluate((element) => (element as HTMLAnchorElement).href)).toBe(form)
  })
})
