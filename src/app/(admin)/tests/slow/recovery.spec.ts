import { createHash, randomBytes } from 'node:crypto'
import {
  expect,
  expectEveryScreen,
  type OldSessions,
  password,
  serverWithOldSessions,
  setScreen,
  test,
} from 'plinth/testing/browser'

// One server for all tests of this file.
test.describe.configure({ mode: 'default' })

let old: OldSessions

/** On PostgreSQL: the test changes the email of a user in the database. */
if (process.env.TEST_DATABASE_URL) {
  test.beforeAll(async () => {
    old = await serverWithOldSessions()
  })
  test.afterAll(() => old.stop())

  for (const javaScriptEnabled of [true, false]) {
    test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
      test.use({ javaScriptEnabled })

      test('an admin freezes an account and hands the link to its owner', async ({
        page,
        browser,
      }) => {
        const name = `owner-${javaScriptEnabled}`
        const { id, email, changed } = await createVictim(name)
        const admin = `admin-${javaScriptEnabled}@example.com`
        await old.createUser(admin, 'admin')
        await old.signIn(page.context(), admin)
        const { url } = old.server

        await page.goto(`${url}/admin/users/${id}`)
        await page.getByRole('link', { name: 'Account recovery' }).click()
        await expect(page.getByText(`from ${email} to ${changed}`)).toBeVisible()
        await page.getByRole('button', { name: 'Freeze and recover' }).click()
        await page.getByRole('button', { name: 'Freeze the account' }).click()
        await page.getByLabel('Your password').fill(password)
        await page.getByRole('button', { name: 'Freeze the account' }).click()
        await expect(page.getByText('frozen. Its emails were told.').first()).toBeVisible()
        await page.goto(`${url}/admin/users?query=${name}`)
        await expect(page.getByRole('link', { name: 'Frozen' })).toBeVisible()
        await page.getByRole('link', { name: 'Frozen' }).click()

        const row = page.getByRole('row').filter({ hasText: 'Before the changes' })
        await row.getByRole('button', { name: 'Allow' }).click()
        await expect(page.getByText('Give the account to this email?')).toBeVisible()
        await page.getByRole('button', { name: 'Allow this email' }).click()
        await page.getByLabel('Your password').fill(password)
        await page.getByRole('button', { name: 'Allow this email' }).click()
        await expect(page.getByText(`${email} can take back the account now`).first()).toBeVisible()

        // The sign-in is old, and the link gives the account away.
        await page.goto(`${url}/admin/users/${id}/recovery`)
        await expect(page.getByText('Mail is not set up.')).toBeVisible()
        await expect(page.getByText('/recover?token=')).toHaveCount(0)
        await page.getByRole('link', { name: 'Confirm that it is you' }).click()
        await page.getByLabel('Password').fill(password)
        await page.getByRole('button', { name: 'Confirm' }).click()
        const link = (await page.getByText('/recover?token=').textContent()) ?? ''

        const owner = await (await browser.newContext({ javaScriptEnabled })).newPage()
        await owner.goto(`${url}${new URL(link).pathname}${new URL(link).search}`)
        await expect(owner.getByRole('heading', { name: 'Take back your account' })).toBeVisible()
        await expect(owner.getByLabel(email)).toBeChecked()
        await owner.getByLabel('New password').fill('words of the owner')
        await owner.getByRole('button', { name: 'Take back my account' }).click()
        await expect(owner).toHaveURL(`${url}/recover/done`)
        await owner.context().close()
        await page.goto(`${url}/admin/users/${id}/recovery`)
        await expect(page.getByText('No change in the last 30 days can be taken')).toBeVisible()
      })
    })
  }

  test('each page is accessible on every screen', async ({ page }) => {
    const { id, token } = await createVictim('screens')
    await old.createUser('admin-screens@example.com', 'admin')
    await old.signIn(page.context(), 'admin-screens@example.com')
    await old.sql`update sessions set authenticated_at = now()`
    const recovery = `${old.server.url}/admin/users/${id}/recovery`
    await page.goto(recovery)
    await expectEveryScreen(page, 'admin-recovery-not-frozen')
    await page.goto(`${old.server.url}/recover?token=${token}`)
    await page.getByRole('button', { name: 'Freeze the account' }).click()
    await expect(page.getByRole('heading', { name: 'Your account is frozen' })).toBeVisible()
    await page.goto(recovery)
    await expectEveryScreen(page, 'admin-recovery-frozen')
    await page.goto(`${old.server.url}/admin/users/${id}`)
    await expectEveryScreen(page, 'admin-user-frozen')
    await page.goto(`${old.server.url}/admin/users?query=screens`)
    await expectEveryScreen(page, 'admin-users-frozen')
    await page.goto(recovery)
    await page.getByRole('button', { name: 'Allow' }).first().click()
    await expect(page.getByText('Give the account to this email?')).toBeVisible()
    await expectEveryScreen(page, 'admin-recovery-allow')
    await page.getByRole('button', { name: 'Allow this email' }).click()
    await expect(page.getByText('Mail is not set up.')).toBeVisible()
    await page.goto(recovery)
    await expectEveryScreen(page, 'admin-recovery-allowed')
    await page.goto(`${old.server.url}/recover?token=${token}`)
    await expectEveryScreen(page, 'recover-allowed')
    await page.goto(recovery)
    await setScreen(page, 1440, 'light')
    await page.getByRole('button', { name: 'Reject the recovery' }).click()
    await page.getByRole('button', { name: 'Reject and unfreeze' }).click()
    await expect(page.getByText('Recovery rejected.').first()).toBeVisible()
    const other = await old.createUser('nothing@example.com')
    await page.goto(`${old.server.url}/admin/users/${other}/recovery`)
    await expectEveryScreen(page, 'admin-recovery-empty')
  })
}

/** A thief has changed the email. Returns the token in the mail to the old one. */
async function createVictim(name: string) {
  const email = `${name}@example.com`
  const changed = `${name}@example.org`
  const id = await old.createUser(email)
  const token = randomBytes(32).toString('base64url')
  const tokenHash = createHash('sha256').update(token).digest()
  await old.sql`update users set email = ${changed} where id = ${id}`
  await old.sql`
    insert into account_changes
      (user_id, at, email, new_email, link, token_hash, delivered_at, ends_at)
    values (${id}, now(), ${email}, ${changed}, 'open', ${tokenHash}, now(), now() + interval '7 days')`
  return { id, email, changed, token }
}
