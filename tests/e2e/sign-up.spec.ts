import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expectEveryLook } from './support/looks'
import { linkTo, messagesTo } from './support/outbox'
import { expect, test } from './support/test'

const password = 'a few words in a row'

const newAddress = () => `ann.${randomUUID().slice(0, 8)}@example.com`

// Each test at an address of its own: how often mail may be asked for is counted.
test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': randomUUID() }))

async function askFor(page: Page, path: '/sign-up' | '/forgot', email: string) {
  await page.goto(path)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send me the link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
}

async function signUp(page: Page, email: string) {
  await askFor(page, '/sign-up', email)
  await page.goto(await linkTo(email))
  await page.getByLabel('Name').fill('Ann Lee')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create my account' }).click()
  await expect(page).toHaveURL('/')
}

async function signIn(page: Page, email: string, word: string) {
  await page.goto('/sign-in?callbackUrl=%2Fsign-in')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(word)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const signedIn = (page: Page) => page.getByRole('heading', { name: 'You are signed in' })

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('a person signs up by the link in their mail and is signed in', async ({ page }) => {
      const email = newAddress()
      await signUp(page, email)
      await page.goto('/sign-in')
      await expect(signedIn(page)).toBeVisible()
      await expect(page.getByRole('main').getByText(email)).toBeVisible()
      await expect(page.getByRole('main').getByText('viewer')).toBeVisible()
    })

    test('an address that has an account gets another message and the same page', async ({
      page,
    }) => {
      const email = newAddress()
      await signUp(page, email)
      await page.context().clearCookies()
      await askFor(page, '/sign-up', email)
      const messages = await messagesTo(email, 2)
      expect(messages.at(-1)?.subject).toBe('You already have an account')
    })

    test('opening a link uses nothing up; finishing does', async ({ page, request }) => {
      const email = newAddress()
      await askFor(page, '/sign-up', email)
      const link = await linkTo(email)
      for (let scans = 0; scans < 3; scans += 1) {
        expect(await (await request.get(link)).text()).toContain('Finish your account')
      }
      await page.goto(link)
      await page.getByLabel('Name').fill('Ann')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Create my account' }).click()
      await expect(page).toHaveURL('/')
      await page.goto(link)
      await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
      await page.getByRole('link', { name: 'Get a new link' }).click()
      await expect(page).toHaveURL('/sign-up')
    })

    test('what is wrong is told beside the field, and what was typed stays', async ({ page }) => {
      await page.goto('/sign-up')
      await page.getByLabel('E-mail').fill('not an address')
      await page.getByRole('button', { name: 'Send me the link' }).click()
      const address = page.getByLabel('E-mail')
      await expect(address).toHaveAccessibleDescription(/^Enter an e-mail address/)
      await expect(address).toHaveValue('not an address')
      await expect(address).toBeFocused()

      const email = newAddress()
      await askFor(page, '/sign-up', email)
      await page.goto(await linkTo(email))
      await page.getByLabel('Name').fill('Ann Lee')
      for (const [word, complaint] of [
        ['short', /at least 10 characters/],
        ['password123', /too easy to guess/],
        [email, /must not be your e-mail address/],
      ] as const) {
        await page.getByLabel('Password').fill(word)
        await page.getByRole('button', { name: 'Create my account' }).click()
        await expect(page.getByLabel('Password')).toHaveAccessibleDescription(complaint)
        await expect(page.getByLabel('Password')).toHaveValue('')
        await expect(page.getByLabel('Password')).toBeFocused()
        await expect(page.getByLabel('Name')).toHaveValue('Ann Lee')
      }
    })

    test('a new password ends every session; the old one is refused, the new one works', async ({
      page,
      browser,
      baseURL,
    }) => {
      const email = newAddress()
      await signUp(page, email)
      const elsewhere = await browser.newContext({ baseURL: baseURL ?? '', javaScriptEnabled })
      const other = await elsewhere.newPage()
      await signIn(other, email, password)
      await expect(signedIn(other)).toBeVisible()

      await page.context().clearCookies()
      await askFor(page, '/forgot', email)
      await page.goto(await linkTo(email, 2))
      await page.getByLabel('Password').fill('something quite new')
      await page.getByRole('button', { name: 'Set the password' }).click()
      await expect(page).toHaveURL('/')
      const [, , notice] = await messagesTo(email, 3)
      expect(notice?.subject).toBe('Your password was changed')

      await other.goto('/sign-in')
      await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible()
      await signIn(other, email, password)
      await expect(other.getByText('The e-mail address or the password is wrong.')).toBeVisible()
      await signIn(other, email, 'something quite new')
      await expect(signedIn(other)).toBeVisible()
      await elsewhere.close()
    })

    test('it can be sent again, but not for ever', async ({ page }) => {
      const email = newAddress()
      await askFor(page, '/sign-up', email)
      const again = page.getByRole('button', { name: 'Send it again' })
      for (let times = 2; times <= 5; times += 1) {
        await messagesTo(email, times - 1)
        await again.click()
        await expect(page.getByText('Sent again.')).toBeVisible()
        await messagesTo(email, times)
      }
      await again.click()
      await expect(
        page.getByText(/^Mail was asked for too often\. Try again in \d+ minutes\.$/),
      ).toBeVisible()
      await expect(page.getByLabel('E-mail')).toHaveValue(email)
    })
  })
}

test('the token is told to nothing that the page loads', async ({ page }) => {
  const referrers: (string | undefined)[] = []
  page.on('request', (request) => {
    if (!request.isNavigationRequest()) referrers.push(request.headers().referer)
  })
  await page.goto('/reset?token=secret-token')
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
  expect(referrers.length).toBeGreaterThan(3)
  expect(referrers.filter((referrer) => referrer?.includes('secret-token'))).toEqual([])
})

test('every page, at every look', async ({ page }) => {
  const email = newAddress()
  await page.goto('/sign-up')
  await page.getByRole('button', { name: 'Send me the link' }).click()
  await expect(page.getByText('Enter your e-mail address.')).toBeVisible()
  await expectEveryLook(page, 'sign-up')
  await askFor(page, '/sign-up', email)
  await expectEveryLook(page, 'check-mail')
  await page.goto('/forgot')
  await expectEveryLook(page, 'forgot')
  const link = await linkTo(email)
  await page.goto(link)
  await page.getByRole('button', { name: 'Create my account' }).click()
  await expect(page.getByText('Enter your name.')).toBeVisible()
  await expectEveryLook(page, 'finish')
  await page.goto(link.replace(/token=.*/, 'token=x'))
  await expectEveryLook(page, 'dead-link')
})
