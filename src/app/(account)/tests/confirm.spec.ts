import { expectEveryScreen } from '@tests/e2e/support/screens'
import { type OldSessions, password, serverWithOldSessions } from '@tests/e2e/support/servers'
import { expect, test } from '@tests/e2e/support/test'

test.skip(!process.env.TEST_DATABASE_URL, 'PostgreSQL is needed to make a sign-in old.')

// One server for all tests of this file.
test.describe.configure({ mode: 'default' })

let old: OldSessions

test.beforeAll(async () => {
  old = await serverWithOldSessions()
})
test.afterAll(() => old.stop())

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('a download asks for the password and leads back to the account', async ({ page }) => {
      const email = `download-${javaScriptEnabled}@example.com`
      await old.createUser(email)
      await old.signIn(page.context(), email)
      await page.goto(`${old.server.url}/account/data`)
      await page.getByRole('link', { name: 'Download data' }).click()
      await expect(page).toHaveURL(/\/confirm\?callbackUrl=%2Faccount%2Fdata$/)

      await page.getByLabel('Password').fill('not my password')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await expect(page.getByText('The password is incorrect.')).toBeVisible()

      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Confirm' }).click()
      await expect(page).toHaveURL(`${old.server.url}/account/data`)
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download data' }).click()
      expect((await download).suggestedFilename()).toBe('account-data.json')
    })
  })
}

test('a user without a password confirms elsewhere and finds the typed text again', async ({
  page,
}) => {
  const email = 'no-password@example.com'
  await old.createUser(email)
  await old.signIn(page.context(), email)
  await old.removePassword(email)
  await page.goto(`${old.server.url}/account/data`)
  await page.getByText('Delete your account').click()
  const confirmation = page.getByLabel(/^Enter your email/)
  await confirmation.fill(email)
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('link', { name: 'Confirm in another way' }).click()
  await expect(page).toHaveURL(/\/confirm\?callbackUrl=%2Faccount%2Fdata$/)
  await expect(page.getByText('Your account has no password')).toBeVisible()
  await page.goto(`${old.server.url}/account/data`)
  await expect(confirmation).toHaveValue(email)
})

test('the page is accessible on every screen', async ({ page }) => {
  await old.createUser('screens@example.com')
  await old.signIn(page.context(), 'screens@example.com')
  await page.goto(`${old.server.url}/confirm?callbackUrl=/account/data`)
  await expectEveryScreen(page, 'confirm')
})
