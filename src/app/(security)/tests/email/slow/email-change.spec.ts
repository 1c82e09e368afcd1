import type { Page } from '@playwright/test'
import {
  anotherBrowser,
  expect,
  expectEveryScreen,
  linkTo,
  password,
  randomIp,
  signIn,
  signUp,
  test,
} from 'plinth/testing/browser'

test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': randomIp() }))

const newEmail = () => `${crypto.randomUUID().slice(0, 8)}@example.org`
const notice = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).first()

async function requestChange(page: Page, email: string) {
  await page.goto('/account/email')
  await page.getByLabel('New email').fill(email)
  await page.getByRole('button', { name: 'Send confirmation link' }).click()
  await expect(notice(page, `We sent an email to ${email}.`)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Pending change' })).toBeVisible()
}

async function confirmChange(page: Page, link: string, email: string) {
  await page.goto(link)
  await page.getByRole('button', { name: 'Change email' }).click()
  await expect(notice(page, `Your email is now ${email}.`)).toBeVisible()
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('changes the email, and the old mailbox takes it back', async ({ page }) => {
      const email = await signUp(page.context(), 'Eve Long')
      const changed = newEmail()
      const other = await anotherBrowser(page, { javaScriptEnabled })
      await signIn(other, email, password)
      const elsewhere = await other.newPage()

      await page.goto('/account/email')
      await page.getByLabel('New email').fill(email)
      await page.getByRole('button', { name: 'Send confirmation link' }).click()
      await expect(page.getByLabel('New email')).toHaveAccessibleDescription(/already your email/)

      await requestChange(page, changed)
      await linkTo(changed)
      await page.getByRole('button', { name: 'Send again' }).click()
      await expect(notice(page, `We sent an email to ${changed}.`)).toBeVisible()
      await page.goto('/account/email')
      const link = await linkTo(changed, 2)
      await confirmChange(page, link, changed)
      await expect(page).toHaveURL('/account/email')
      await elsewhere.goto('/account/email')
      await expect(elsewhere).toHaveURL(/\/sign-in\?/)
      await page.goto(link)
      await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()

      // After those about the sign-up and about the sign-in on the other device.
      await elsewhere.goto(await linkTo(email, 3))
      await elsewhere.getByRole('button', { name: 'Freeze the account' }).click()
      await elsewhere.getByLabel('Password before the changes').fill(password)
      await elsewhere.getByRole('button', { name: 'Check the password' }).click()
      await elsewhere.getByLabel('New password').fill('words of the owner')
      await elsewhere.getByRole('button', { name: 'Take back my account' }).click()
      await expect(elsewhere).toHaveURL('/recover/done')
      await elsewhere.goto('/account/email')
      await expect(elsewhere.getByRole('main').getByText(email, { exact: true })).toBeVisible()
      await page.goto('/account/email')
      await expect(page).toHaveURL(/\/sign-in\?/)
      await other.close()
    })

    test('leads to sign-in and back, and refuses another account', async ({ page }) => {
      const email = await signUp(page.context(), 'Eve Long')
      const changed = newEmail()
      await requestChange(page, changed)
      const link = await linkTo(changed)
      const other = await anotherBrowser(page, { javaScriptEnabled })
      await signUp(other, 'Other User')
      const elsewhere = await other.newPage()
      await elsewhere.goto(link)
      await expect(elsewhere.getByText('This link is for another account')).toBeVisible()
      await elsewhere.getByRole('button', { name: 'Sign out and continue' }).click()
      await expect(elsewhere).toHaveURL(/\/sign-in\?callbackUrl=/)
      await elsewhere.getByLabel('Email').fill(email)
      await elsewhere.getByLabel('Password').fill(password)
      await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click()
      await elsewhere.getByRole('button', { name: 'Change email' }).click()
      await expect(notice(elsewhere, `Your email is now ${changed}.`)).toBeVisible()
      await other.close()
    })
  })
}

test('a pending change can be canceled', async ({ page }) => {
  await signUp(page.context(), 'Eve Long')
  await requestChange(page, newEmail())
  await page.getByRole('button', { name: 'Cancel change' }).click()
  await expect(notice(page, 'Change of email canceled.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Pending change' })).toHaveCount(0)
})

test('each page is accessible on every screen', async ({ page }) => {
  const email = await signUp(page.context(), 'Eve Long')
  const changed = newEmail()
  await requestChange(page, changed)
  await page.goto('/account/email')
  await expectEveryScreen(page, 'security-email')
  await page.goto(await linkTo(changed))
  await expectEveryScreen(page, 'security-email-confirm')
  await page.getByRole('button', { name: 'Change email' }).click()
  await expect(notice(page, `Your email is now ${changed}.`)).toBeVisible()
  await page.goto((await linkTo(email, 2)).replace('/recover', '/account/email/undo'))
  await expect(page).toHaveURL(/\/recover\?token=/)
})
