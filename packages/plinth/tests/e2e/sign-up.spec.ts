import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
  expect,
  expectEveryScreen,
  linkIn,
  linkTo,
  messageAbout,
  messagesTo,
  randomIp,
  test,
} from 'plinth/testing/browser'

const password = 'a few words in a row'

const newEmail = () => `ann.${randomUUID().slice(0, 8)}@example.com`

// A separate IP per test, because requests for mail are rate limited per IP.
test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': randomIp() }))

async function requestLink(page: Page, path: '/sign-up' | '/forgot', email: string) {
  await page.goto(path)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
}

async function signUp(page: Page, email: string) {
  await requestLink(page, '/sign-up', email)
  await page.goto(await linkTo(email))
  await page.getByLabel('Name').fill('Ann Lee')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL('/home')
}

async function signIn(page: Page, email: string, password: string) {
  await page.goto('/sign-in?callbackUrl=%2Fsign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const signedIn = (page: Page) => page.getByRole('heading', { name: 'You are signed in' })

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('signs up with the emailed link, is signed in and goes on', async ({ page }) => {
      const email = newEmail()
      await page.goto('/sign-in?callbackUrl=%2Fstart')
      await page.getByRole('link', { name: 'Create an account' }).click()
      await expect(page).toHaveURL(/\/sign-up/)
      await page.getByLabel('Email').fill(email)
      await page.getByRole('button', { name: 'Send link' }).click()
      await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
      await page.goto(await linkTo(email))
      await page.getByLabel('Name').fill('Ann Lee')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Create account' }).click()
      await expect(page).toHaveURL('/start')
      await page.goto('/sign-up')
      await expect(page.getByRole('link', { name: 'Go to your home page' })).toBeVisible()
      await page.goto('/sign-in')
      await expect(signedIn(page)).toBeVisible()
      await expect(page.getByRole('main').getByText(email)).toBeVisible()
      await expect(page.getByRole('main').getByText('viewer')).toBeVisible()
    })

    test('shows the same page for a registered email and sends a different message', async ({
      page,
    }) => {
      const email = newEmail()
      await signUp(page, email)
      await page.context().clearCookies()
      await requestLink(page, '/sign-up', email)
      const messages = await messagesTo(email, 2)
      expect(messages.at(-1)?.subject).toBe('You already have an account')
    })

    test('a link is used by submitting the form, not by opening the page', async ({
      page,
      request,
    }) => {
      const email = newEmail()
      await requestLink(page, '/sign-up', email)
      const link = await linkTo(email)
      for (let scan = 0; scan < 3; scan += 1) {
        expect(await (await request.get(link)).text()).toContain('Create your account')
      }
      await page.goto(link)
      await page.getByLabel('Name').fill('Ann')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Create account' }).click()
      await expect(page).toHaveURL('/home')
      await page.goto(link)
      await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
      await page.getByRole('link', { name: 'Get a new link' }).click()
      await expect(page).toHaveURL('/sign-up')
    })

    test('shows field errors and keeps the typed values', async ({ page }) => {
      await page.goto('/sign-up')
      await page.getByLabel('Email').fill('not an email')
      await page.getByRole('button', { name: 'Send link' }).click()
      const emailInput = page.getByLabel('Email')
      await expect(emailInput).toHaveAccessibleDescription(/^Enter an email in the format/)
      await expect(emailInput).toHaveValue('not an email')
      await expect(emailInput).toBeFocused()

      const email = newEmail()
      await requestLink(page, '/sign-up', email)
      await page.goto(await linkTo(email))
      await page.getByLabel('Name').fill('Ann Lee')
      for (const [candidate, message] of [
        ['short', /at least 10 characters/],
        ['password123', /too easy to guess/],
        [email, /cannot be your email/],
      ] as const) {
        await page.getByLabel('Password').fill(candidate)
        await page.getByRole('button', { name: 'Create account' }).click()
        await expect(page.getByLabel('Password')).toHaveAccessibleDescription(message)
        await expect(page.getByLabel('Password')).toHaveValue('')
        await expect(page.getByLabel('Password')).toBeFocused()
        await expect(page.getByLabel('Name')).toHaveValue('Ann Lee')
      }
    })

    test('a password reset revokes every session and replaces the password', async ({
      page,
      browser,
      baseURL,
    }) => {
      const email = newEmail()
      await signUp(page, email)
      const otherContext = await browser.newContext({ baseURL: baseURL ?? '', javaScriptEnabled })
      const other = await otherContext.newPage()
      await signIn(other, email, password)
      await expect(signedIn(other)).toBeVisible()

      await page.context().clearCookies()
      await requestLink(page, '/forgot', email)
      await page.goto(linkIn(await messageAbout(email, 'Reset your password')))
      await page.getByLabel('Password').fill('something quite new')
      await page.getByRole('button', { name: 'Set password' }).click()
      await expect(page).toHaveURL('/home')
      await messageAbout(email, 'The sign-in to your account was changed')

      await other.goto('/sign-in')
      await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible()
      await signIn(other, email, password)
      await expect(other.getByText('The email or password is incorrect.')).toBeVisible()
      await signIn(other, email, 'something quite new')
      await expect(signedIn(other)).toBeVisible()
      await otherContext.close()
    })

    test('sends the email again until the rate limit', { tag: '@slow' }, async ({ page }) => {
      const email = newEmail()
      await requestLink(page, '/sign-up', email)
      const sendAgain = page.getByRole('button', { name: 'Send again' })
      for (let count = 2; count <= 5; count += 1) {
        await messagesTo(email, count - 1)
        await sendAgain.click()
        await expect(page.getByText('Email sent again.')).toBeVisible()
        await messagesTo(email, count)
      }
      await sendAgain.click()
      await expect(
        page.getByText(/^Too many emails requested\. Try again in \d+ minutes\.$/),
      ).toBeVisible()
      await expect(page.getByLabel('Email')).toHaveValue(email)
    })
  })
}

test('does not send the token as a referrer', { tag: '@slow' }, async ({ page }) => {
  const referrers: (string | undefined)[] = []
  page.on('request', (request) => {
    if (!request.isNavigationRequest()) referrers.push(request.headers().referer)
  })
  await page.goto('/reset?token=secret-token')
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
  expect(referrers.length).toBeGreaterThan(3)
  expect(referrers.filter((referrer) => referrer?.includes('secret-token'))).toEqual([])
})

test('sign-up pages render on every screen', { tag: '@slow' }, async ({ page }) => {
  const email = newEmail()
  await page.goto('/sign-up')
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText('Enter your email.')).toBeVisible()
  await expectEveryScreen(page, 'sign-up')
  await requestLink(page, '/sign-up', email)
  await expectEveryScreen(page, 'check-email')
  await page.goto('/forgot')
  await expectEveryScreen(page, 'forgot')
  const link = await linkTo(email)
  await page.goto(link)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('Enter your name.')).toBeVisible()
  await expectEveryScreen(page, 'create-account')
  await page.goto(link.replace(/token=.*/, 'token=x'))
  await expectEveryScreen(page, 'invalid-link')
})
