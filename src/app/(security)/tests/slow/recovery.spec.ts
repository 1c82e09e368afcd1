import type { Page } from '@playwright/test'
import {
  anotherBrowser,
  expect,
  expectEveryScreen,
  linkIn,
  linkTo,
  messageAbout,
  password,
  randomIp,
  signUp,
  test,
} from 'plinth/testing/browser'

test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': randomIp() }))

const newEmail = () => `${crypto.randomUUID().slice(0, 8)}@example.org`

async function changeEmail(page: Page, email: string) {
  await page.goto('/account/email')
  await page.getByLabel('New email').fill(email)
  await page.getByRole('button', { name: 'Send confirmation link' }).click()
  await page.goto(await linkTo(email))
  await page.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByText(`Your email is now ${email}.`).first()).toBeVisible()
}

/** The thief reads the new email, so a reset needs no old password. */
async function resetPassword(page: Page, email: string, password: string) {
  await page.goto('/forgot')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.goto(linkIn(await messageAbout(email, 'Reset your password')))
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page).toHaveURL('/home')
}

async function signInStatus(page: Page, email: string, password: string) {
  const data = { email, password, redirect: false }
  return (await page.request.post('/api/auth/signin', { data })).status()
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('the owner takes back an account whose email and password a thief changed', async ({
      page: thief,
    }) => {
      const email = await signUp(thief.context(), 'Eve Long')
      const stolen = newEmail()
      await changeEmail(thief, stolen)
      await resetPassword(thief, stolen, 'words of the thief')

      const other = await anotherBrowser(thief, { javaScriptEnabled })
      const owner = await other.newPage()
      // After that about the sign-up.
      const link = await linkTo(email, 2)
      await owner.goto(link)
      await expect(heading(owner, 'Was this not you?')).toBeVisible()
      await expect(owner.getByText(`from ${email} to another one`)).toBeVisible()
      await expect(owner.getByText('The password was changed.')).toBeVisible()
      await thief.goto('/account/email')
      await expect(thief).toHaveURL('/account/email')

      await owner.getByRole('button', { name: 'Freeze the account' }).click()
      await expect(heading(owner, 'Your account is frozen')).toBeVisible()
      await thief.goto('/account/email')
      await expect(thief).toHaveURL(/\/sign-in\?/)
      expect(await signInStatus(thief, stolen, 'words of the thief')).toBe(403)

      const old = owner.getByLabel('Password before the changes')
      await old.fill('words of the thief')
      await owner.getByRole('button', { name: 'Check the password' }).click()
      await expect(
        owner.getByText('This is not the password that the account had before the changes.'),
      ).toBeVisible()
      await old.fill(password)
      await owner.getByRole('button', { name: 'Check the password' }).click()
      await expect(heading(owner, 'Take back your account')).toBeVisible()
      await owner.getByLabel('New password').fill('words of the owner')
      await owner.getByRole('button', { name: 'Take back my account' }).click()
      await expect(owner).toHaveURL('/recover/done')
      await expect(heading(owner, 'Your account is yours again')).toBeVisible()
      await owner.goto('/account/email')
      await expect(owner.getByRole('main').getByText(email, { exact: true })).toBeVisible()

      await owner.goto(link)
      await expect(heading(owner, 'This link no longer works')).toBeVisible()
      await messageAbout(stolen, 'The recovery of an account is complete')
      expect(await signInStatus(thief, stolen, 'words of the thief')).toBe(401)
      expect(await signInStatus(thief, email, 'words of the thief')).toBe(401)
      await thief.goto('/account/email')
      await expect(thief).toHaveURL(/\/sign-in\?/)
      await other.close()
    })

    test('the reader of the present email objects, and an admin decides', async ({ page }) => {
      const email = await signUp(page.context(), 'Eve Long')
      const changed = newEmail()
      await changeEmail(page, changed)
      await page.goto(await linkTo(email, 2))
      await page.getByRole('button', { name: 'Freeze the account' }).click()
      await expect(heading(page, 'Your account is frozen')).toBeVisible()

      const other = await anotherBrowser(page, { javaScriptEnabled })
      const owner = await other.newPage()
      const title = 'Someone wants to undo recent changes to your account'
      const objection = await messageAbout(changed, title)
      expect(objection.text).toContain(`belongs to the reader of ${email}.`)
      await owner.goto(linkIn(objection))
      await expect(heading(owner, 'Were these changes yours?')).toBeVisible()
      await expect(owner.getByText(`This page is for the reader of ${changed}.`)).toBeVisible()
      // A password is no proof here: a thief who has it could have added the email.
      await expect(owner.getByLabel('Password before the changes')).toHaveCount(0)
      await owner.getByRole('button', { name: 'Object to the recovery' }).click()
      await expect(heading(owner, 'An admin decides')).toBeVisible()
      await page.reload()
      await expect(heading(page, 'An admin decides')).toBeVisible()
      await other.close()
    })
  })
}

test('an owner who has left the email lets an admin decide, also later', async ({ page }) => {
  const email = await signUp(page.context(), 'Eve Long')
  await changeEmail(page, newEmail())
  await page.goto(await linkTo(email, 2))
  await page.getByText(`You no longer use ${email}?`).click()
  await expect(page.getByRole('button', { name: 'Freeze it and let an admin' })).toBeVisible()
  await page.getByRole('button', { name: 'Freeze the account' }).click()
  await expect(heading(page, 'Your account is frozen')).toBeVisible()
  const button = page.getByRole('button', { name: 'Let an admin decide' })
  if (!(await button.isVisible())) await page.getByText(`You no longer use ${email}?`).click()
  await button.click()
  await expect(heading(page, 'An admin decides')).toBeVisible()
})

test('each page is accessible on every screen', async ({ page }) => {
  const email = await signUp(page.context(), 'Eve Long')
  const changed = newEmail()
  await changeEmail(page, changed)
  await page.goto(await linkTo(email, 2))
  await expectEveryScreen(page, 'recover-new')
  await page.getByRole('button', { name: 'Freeze the account' }).click()
  await expect(heading(page, 'Your account is frozen')).toBeVisible()
  await expectEveryScreen(page, 'recover-waiting')

  const other = await anotherBrowser(page)
  const reader = await other.newPage()
  const title = 'Someone wants to undo recent changes to your account'
  await reader.goto(linkIn(await messageAbout(changed, title)))
  await expectEveryScreen(reader, 'recover-objection')
  await reader.getByRole('button', { name: 'Object to the recovery' }).click()
  await expect(heading(reader, 'An admin decides')).toBeVisible()
  await expectEveryScreen(reader, 'recover-admin')

  await page.reload()
  await page.getByLabel('Password before the changes').fill('wrong')
  await page.getByRole('button', { name: 'Check the password' }).click()
  await expect(page.getByText('This is not the password')).toBeVisible()
  await expectEveryScreen(page, 'recover-wrong-password')
  await page.getByLabel('Password before the changes').fill(password)
  await page.getByRole('button', { name: 'Check the password' }).click()
  await expect(heading(page, 'Take back your account')).toBeVisible()
  await expectEveryScreen(page, 'recover-ready')
  await page.getByLabel('New password').fill('words of the owner')
  await page.getByRole('button', { name: 'Take back my account' }).click()
  await expect(page).toHaveURL('/recover/done')
  await expectEveryScreen(page, 'recover-done')
  await reader.reload()
  await expect(heading(reader, 'This link no longer works')).toBeVisible()
  await expectEveryScreen(reader, 'recover-ended')
  await other.close()
})
