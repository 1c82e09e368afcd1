import {
  expect,
  expectEveryScreen,
  type OldSessions,
  serverWithOldSessions,
  test,
} from 'plinth/testing/browser'

test.skip(!process.env.TEST_DATABASE_URL, 'PostgreSQL is needed to add failed jobs.')

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

    test('failed jobs are retried and deleted, and a schedule is run now', async ({ page }) => {
      const admin = `admin-${javaScriptEnabled}@example.com`
      await old.createUser(admin, 'admin')
      await old.signIn(page.context(), admin)
      await old.sql`delete from jobs`
      // No process knows these jobs, so they wait.
      await old.sql`insert into jobs (name, data, attempts, failed_at, reason) values
        ('example.report', '{"reportId":7}', 10, now(), 'The printer is out of paper.'),
        ('example.import', '{}', 10, now() - interval '1 minute', ${'Too long. '.repeat(90)})`
      await page.goto(`${old.server.url}/admin/jobs`)
      if (javaScriptEnabled) await expectEveryScreen(page, 'admin-jobs-failed')

      const report = page.getByRole('row', { name: 'example.report' })
      await expect(report).toContainText('The printer is out of paper.')
      await report.getByRole('button', { name: 'Retry' }).click()
      await expect(page.getByText('{"reportId":7}')).toBeVisible()
      await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click()
      await expect(page.getByText('Job example.report runs again.').first()).toBeVisible()
      await expect(report).toContainText('waiting')

      const failed = page.getByRole('row', { name: 'example.import' })
      await failed.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Delete job' }).click()
      await expect(page.getByText('Job example.import deleted.').first()).toBeVisible()
      await expect(page.getByText('No failed jobs.')).toBeVisible()

      const schedule = page.getByRole('row', { name: 'core.sweep' })
      await schedule.getByRole('button', { name: 'Run now' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click()
      await expect(page.getByText('Job core.sweep starts now.').first()).toBeVisible()
      await expect(async () => {
        await page.reload()
        await expect(schedule).not.toContainText('never')
      }).toPass({ timeout: 20_000 })
    })
  })
}

test('mail that was not sent is a warning on the home page, and is sent again', async ({
  page,
}) => {
  const admin = 'mail-admin@example.com'
  await old.createUser(admin, 'admin')
  await old.signIn(page.context(), admin)
  await old.sql`insert into failed_mail (id, purpose, email, data, created_at, attempts, reason)
    values (1001, 'reset_password', 'ann@example.com', '{}', now(), 16, 'ECONNREFUSED CONN'),
      (1002, 'security.notice', ${`${'long-'.repeat(12)}name@example.com`}, '{}', now(), 16,
        ${'TypeError: something is not a function '.repeat(5)})`
  await page.goto(`${old.server.url}/home`)
  const warning = page.locator('.home-cards > section').first()
  await expect(warning).toContainText('2 messages could not be sent.')
  await expectEveryScreen(page, 'home-mail-warning')
  await page.getByRole('link', { name: 'View mail' }).click()
  await expect(page.getByRole('row', { name: 'reset_password' })).toContainText('ECONNREFUSED')
  await expectEveryScreen(page, 'admin-mail-failed')
  await page.getByRole('button', { name: 'Send all again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send all again' }).click()
  await expect(page.getByText('2 messages are sent again.').first()).toBeVisible()
  await expect(page.getByText('No mail has failed.')).toBeVisible()
  await page.goto(`${old.server.url}/home`)
  await expect(page.getByText('Mail is not being sent')).toHaveCount(0)
})
