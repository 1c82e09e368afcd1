import {
  expect,
  type OldSessions,
  password,
  saveScreenshot,
  serverWithOldSessions,
  setScreen,
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

    test('a role change and a deletion ask for the password in place', async ({ page }) => {
      const admin = `admin-${javaScriptEnabled}@example.com`
      await old.createUser(admin, 'admin')
      const id = await old.createUser(`user-${javaScriptEnabled}@example.com`)
      await old.signIn(page.context(), admin)
      await page.goto(`${old.server.url}/admin/users/${id}`)

      const role = page.getByLabel(`Role of user-${javaScriptEnabled}@example.com`)
      await role.selectOption('editor')
      await page.getByRole('button', { name: 'Change role' }).click()
      await expect(page.getByText('Confirm that it is you.')).toBeVisible()
      await saveScreenshot(page, `confirm-role-${javaScriptEnabled}`, 1440, 'light')
      await expect(role).toHaveValue('editor')
      await page.getByLabel('Your password').fill(password)
      await page.getByRole('button', { name: 'Change role' }).click()
      await expect(page.getByText('changed from viewer to editor.').first()).toBeVisible()

      await setScreen(page, 390, 'dark')
      await page.getByRole('button', { name: 'Delete account' }).click()
      await page.getByRole('button', { name: 'Delete this account' }).click()
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Delete account' }).click()
      await saveScreenshot(page, `confirm-delete-${javaScriptEnabled}`, 390, 'dark')
      await page.getByLabel('Your password').fill(password)
      await page.getByRole('button', { name: 'Delete this account' }).click()
      await expect(page).toHaveURL(/\/admin\/users$/)
      await expect(
        page.getByText(`Account user-${javaScriptEnabled}@example.com deleted.`).first(),
      ).toBeVisible()
    })
  })
}
