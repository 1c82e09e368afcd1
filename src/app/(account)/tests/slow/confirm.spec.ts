import {
  expect,
  expectEveryScreen,
  type OldSessions,
  password,
  serverWithOldSessions,
  test,
} from 'plinth/testing/browser'

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

const confirmUrl = /\/confirm\?change=delete_account&callbackUrl=%2Faccount%2Fdata$/

test('a user without a password proves the deletion with a code by mail', async ({ page }) => {
  const email = 'no-password@example.com'
  await old.createUser(email)
  await old.signIn(page.context(), email)
  await old.removePassword(email)
  await page.goto(`${old.server.url}/account/data`)
  await page.getByText('Delete your account').click()
  await expect(page.getByRole('button', { name: 'Delete account' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Confirm that it is you' }).click()
  await expect(page).toHaveURL(confirmUrl)
  await expect(page.getByText('To delete your account')).toBeVisible()
  await expectEveryScreen(page, 'confirm-change-by-mail')
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByLabel('Code').fill('0000-0000')
  await expectEveryScreen(page, 'confirm-change-code')
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByText('The code is incorrect or no longer works.')).toBeVisible()
})

test('a form whose proof has ended leads to a new one and keeps the typed text', async ({
  page,
}) => {
  const email = 'typed@example.com'
  const id = await old.createUser(email)
  await old.signIn(page.context(), email)
  await old.removePassword(email)
  const giveProof = () => old.sql`
    insert into change_proofs (session_id, change, kind)
    select id, 'delete_account', 'mail_code' from sessions where user_id = ${id}`
  await giveProof()
  await page.goto(`${old.server.url}/account/data`)
  const confirmation = page.getByLabel(/^Enter your email/)
  await confirmation.fill(email)
  await old.sql`delete from change_proofs`
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('link', { name: 'Confirm that it is you' }).click()
  await expect(page).toHaveURL(confirmUrl)
  await giveProof()
  await page.goto(`${old.server.url}/account/data`)
  await expect(confirmation).toHaveValue(email)
})

test('the page is accessible on every screen', async ({ page }) => {
  await old.createUser('screens@example.com')
  await old.signIn(page.context(), 'screens@example.com')
  await page.goto(`${old.server.url}/confirm?callbackUrl=/account/data`)
  await expectEveryScreen(page, 'confirm')
})
