import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import {
  anotherBrowser,
  expect,
  expectEveryScreen,
  freePort,
  password,
  signIn,
  signUp,
  startIsolatedServer,
  test,
} from 'plinth/testing/browser'

/** Reads the key on the page, as the user's phone does. */
async function readKey(page: Page): Promise<TOTP> {
  const key = (await page.locator('code').textContent()) ?? ''
  return new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) })
}

const currentCode = (phone: TOTP) => phone.generate()
/** A code works once. The next one is accepted already, because clocks differ. */
const nextCode = (phone: TOTP) => phone.generate({ timestamp: Date.now() + 30_000 })

/** The proof of a change, before there is a factor. */
async function provePassword(page: Page) {
  await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
}

async function showKey(page: Page) {
  await page.getByRole('button', { name: 'Show QR code' }).click()
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible()
}

async function setUp(page: Page): Promise<TOTP> {
  await page.goto('/account/security')
  await page.getByRole('link', { name: 'Set up an authenticator app' }).click()
  await provePassword(page)
  await showKey(page)
  const phone = await readKey(page)
  await page.getByLabel('Code from the app').fill('000000')
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await expect(page.getByText('The code is incorrect.')).toBeVisible()
  await page.getByLabel('Code from the app').fill(currentCode(phone))
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await expect(page.getByText('They are not shown again.')).toBeVisible()
  return phone
}

function shownCodes(page: Page): Promise<string[]> {
  return page.getByRole('list', { name: 'Recovery codes' }).locator('li').allTextContents()
}

async function enterPassword(page: Page, email: string) {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Confirm your sign-in' })).toBeVisible()
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('an app is set up and then needed to sign in', async ({ page, context }) => {
      const email = await signUp(context, 'Ann')
      const phone = await setUp(page)
      const [first = '', second = ''] = await shownCodes(page)
      await page.getByRole('link', { name: 'I have saved them' }).click()
      await expect(page.getByText('10 of 10 codes are left.')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Remove authenticator app' })).toBeVisible()

      await context.clearCookies()
      await enterPassword(page, email)
      await page.getByLabel(/^Code from/).fill('000000')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByText('The code is incorrect or was already used.')).toBeVisible()
      await page.getByLabel(/^Code from/).fill(nextCode(phone))
      await page.getByLabel(/^Do not ask again/).check()
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page).toHaveURL(/\/home$/)
      await page.goto('/account/security')
      await expect(page.getByRole('button', { name: 'Forget' })).toBeVisible()

      await context.clearCookies()
      await enterPassword(page, email)
      await page.getByRole('link', { name: 'Use a recovery code' }).click()
      await page.getByLabel('Recovery code').fill(first)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page).toHaveURL(/\/home$/)
      await page.goto('/account/security')
      await expect(page.getByText('9 of 10 codes are left.')).toBeVisible()
      await page.getByRole('button', { name: 'Forget' }).click()
      await expect(page.getByText('No browser is remembered.')).toBeVisible()
      await page.getByRole('link', { name: 'Create new codes' }).click()
      await page.getByLabel(/^Code from/).fill('000000')
      await page.getByRole('button', { name: 'Confirm', exact: true }).click()
      await expect(page.getByText('The code is incorrect or was already used.')).toBeVisible()
      await page.getByRole('link', { name: 'Use a recovery code' }).click()
      await provePassword(page)
      await page.getByLabel('Recovery code').fill(second)
      await page.getByRole('button', { name: 'Confirm', exact: true }).click()
      await page.getByRole('button', { name: 'Create new codes' }).click()
      await expect(page.getByText('They are not shown again.')).toBeVisible()

      // The first two sign-ins have left these.
      await page.getByRole('link', { name: 'I have saved them' }).click()
      await expect(page.getByText('You have 2 other sessions.')).toBeVisible()
      await page.getByRole('button', { name: 'Revoke other sessions' }).click()
      await expect(page.getByText('Your other sessions were revoked')).toBeVisible()
      await expect(page).toHaveURL('/account/security')
      await page.goto('/account/security?changed=factors')
      await expect(page.getByText('10 of 10 codes are left.')).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Other sessions' })).toBeHidden()
    })
  })
}

/** Whether the page has shown one of the texts, or a QR code, since this was called. */
async function watchFor(page: Page, texts: string[]) {
  await page.evaluate((texts) => {
    const look = () => {
      const shown = document.getElementById('main')?.textContent ?? ''
      const isShown = texts.some((text) => shown.includes(text))
      if (isShown || document.querySelector('img[alt^="QR code"]')) {
        Reflect.set(window, 'wasShown', true)
      }
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
  }, texts)
  return () => page.evaluate(() => Reflect.get(window, 'wasShown'))
}

test('back and forward after the setup show neither the time before nor the QR code', {
  tag: '@slow',
}, async ({ page, context }) => {
  await signUp(context, 'Ann')
  await setUp(page)
  const wasShown = await watchFor(page, ['You have no authenticator app.'])
  const app = page.getByRole('button', { name: 'Remove authenticator app' })
  await page.getByRole('link', { name: 'I have saved them' }).click()
  await expect(app).toBeVisible()
  await page.goBack()
  await expect(page.getByText('There is no app to set up.')).toBeVisible()
  expect(await wasShown()).toBeUndefined()

  // The browser may show the page from its own cache, as it was left.
  await page.goForward()
  await expect(app).toBeVisible()
  const refreshed = page.waitForRequest((request) => request.headers().rsc !== undefined)
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  expect((await refreshed).url()).toContain('/account/security')
})

test('the recovery codes can be downloaded', { tag: '@slow' }, async ({ page, context }) => {
  await signUp(context, 'Ann')
  await setUp(page)
  const shown = await shownCodes(page)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download codes' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('recovery-codes.txt')
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(Buffer.from(chunk))
  expect(Buffer.concat(chunks).toString().trim().split('\n')).toEqual(shown)
})

test('an expired sign-in says so and leads to the start', async ({ page }) => {
  await page.goto('/sign-in/verify?callbackUrl=/account')
  await expect(page.getByRole('heading', { name: 'This sign-in has expired' })).toBeVisible()
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await expect(page).toHaveURL('/sign-in?callbackUrl=%2Faccount')
})

test('the pages are accessible on every screen', { tag: '@slow' }, async ({ page, context }) => {
  const email = await signUp(context, 'Ann')
  const elsewhere = await anotherBrowser(page)
  await signIn(elsewhere, email, password)
  await elsewhere.close()
  await page.goto('/account/security')
  await expectEveryScreen(page, 'security-empty')
  await page.getByRole('link', { name: 'Set up an authenticator app' }).click()
  await expectEveryScreen(page, 'confirm-change')
  await provePassword(page)
  await expect(page.getByRole('button', { name: 'Show QR code' })).toBeVisible()
  await expectEveryScreen(page, 'security-app-start')
  await showKey(page)
  await expectEveryScreen(page, 'security-app')
  const phone = await readKey(page)
  await page.getByLabel('Code from the app').fill(currentCode(phone))
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await expect(page.getByText('They are not shown again.')).toBeVisible()
  await expectEveryScreen(page, 'security-codes')
  await page.getByRole('link', { name: 'I have saved them' }).click()
  await expect(page.getByText('You have one other session.')).toBeVisible()
  await expectEveryScreen(page, 'security')
  await page.getByRole('link', { name: 'Create new codes' }).click()
  await expect(page.getByLabel(/^Code from/)).toBeVisible()
  await expectEveryScreen(page, 'confirm-change-factor')
  await page.goto('/account/security/codes')
  await expectEveryScreen(page, 'security-codes-unproven')
  await context.clearCookies()
  await enterPassword(page, email)
  await expectEveryScreen(page, 'sign-in-verify')
})

test('a user who needs a second factor can do nothing before it is set up', {
  tag: '@slow',
}, async ({ page }) => {
  const server = await startIsolatedServer(await freePort(), { SECOND_FACTOR: 'everyone' })
  try {
    await page.goto(`${server.url}/sign-in?callbackUrl=/account/email`)
    await page.getByLabel('Email').fill('viewer@example.com')
    await page.getByLabel('Password', { exact: true }).fill('plinth-demo-1')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
    await expectEveryScreen(page, 'sign-in-enroll')
    const here = page.url()
    await page.goto(`${server.url}/account/security`)
    await expect(page).toHaveURL(/\/sign-in\?callbackUrl/)
    await page.goto(here)
    await page.getByLabel('Code from the app').fill(currentCode(await readKey(page)))
    await page.getByRole('button', { name: 'Add authenticator app' }).click()
    await expect(page.getByText('They are not shown again.')).toBeVisible()
    await page.getByRole('link', { name: 'I have saved them' }).click()
    await expect(page).toHaveURL(`${server.url}/account/email`)
  } finally {
    await server.stop()
  }
})
