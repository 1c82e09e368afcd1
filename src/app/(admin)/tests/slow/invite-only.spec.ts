import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  expect,
  expectAccessible,
  lostConnectionErrors,
  nightly,
  offline,
  type Server,
  saveScreenshot,
  setScreen,
  startServer,
  test,
} from 'plinth/testing/browser'

const folder = mkdtempSync(join(tmpdir(), 'plinth-invite-'))
let server: Server

// One server for all tests of this file.
test.describe.configure({ mode: 'default' })

// A separate server: the shared one has open sign-up, and its admin must keep the role.
test.beforeAll(async () => {
  server = await startServer({
    DATA_DIR: folder,
    DATABASE_URL: '',
    AUTH_URL: '',
    SIGN_UP: 'invite',
  })
})

test.afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function signInAsAdmin(page: Page) {
  await page.request.post(`${server.url}/api/auth/signin`, {
    data: { email: 'admin@example.com', password: 'plinth-demo-1', redirect: false },
  })
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('sends, marks and cancels invitations', async ({ page }) => {
      const email = `guest-${javaScriptEnabled}@example.com`
      const boss = `boss-${javaScriptEnabled}@example.com`
      await signInAsAdmin(page)
      await page.goto(`${server.url}/admin/invitations`)
      const send = page.getByRole('button', { name: 'Send invitations' })
      const emails = page.getByLabel('Emails')
      await emails.fill('viewer@example.com')
      await send.click()
      await expect(page.getByText('viewer@example.com (already has an account)')).toBeVisible()
      await expect(emails).toHaveValue('viewer@example.com')
      await expect(emails).toBeFocused()

      await emails.fill(`${email}, viewer@example.com`)
      await send.click()
      const notice = page.getByRole('status')
      await expect(notice.filter({ hasText: `Invitation sent to ${email}.` }).first()).toBeVisible()
      await expect(emails).toHaveValue('viewer@example.com')
      const row = page.getByRole('row', { name: email })
      await expect(row).toBeVisible()

      await emails.fill(boss)
      await page.getByLabel('Role').selectOption('admin')
      await send.click()
      await expect(page.getByText('Confirm that these users become admins.')).toBeVisible()
      await page.getByLabel('Invite as admin').check()
      await send.click()
      await expect(page.getByRole('row', { name: `${boss} admin` })).toBeVisible()
      // The link is created when the email is sent in the background.
      await expect
        .poll(async () => {
          await page.goto(`${server.url}/admin/invitations`)
          return row.getByText('Sending').count()
        })
        .toBe(0)
      if (javaScriptEnabled) {
        for (const width of [390, 1440] as const) {
          await setScreen(page, width, 'light')
          await expectAccessible(page)
          await saveScreenshot(page, 'admin-invited', width, 'light')
        }
      }
      await row.getByRole('button', { name: 'Resend' }).click()
      await page.getByRole('button', { name: 'Send again' }).click()
      await expect(page.getByText('This invitation was sent less than a minute ago.')).toBeVisible()
      await page.goto(`${server.url}/admin/invitations`)
      await row.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Cancel invitation' }).click()
      const canceled = notice.filter({ hasText: `Invitation of ${email} canceled.` })
      await expect(canceled.first()).toBeVisible()
      await expect(row).toHaveCount(0)
    })

    // Every form works without JavaScript in the same way. One of them stands for all until night.
    if (!javaScriptEnabled && !nightly) return

    test('refuses to demote the last admin with a message', async ({ page }) => {
      await signInAsAdmin(page)
      await page.goto(`${server.url}/admin/users?query=admin%40example.com`)
      await page.getByRole('link', { name: 'Demo Admin' }).click()
      await page.getByLabel('Role of Demo Admin').selectOption('viewer')
      await page.getByLabel('I give up the admin role').check()
      await page.getByRole('button', { name: 'Change role' }).click()
      await expect(page.getByText('The last admin cannot be demoted or deleted.')).toBeVisible()
      await expect(page.getByText('To delete it, go to your account page.')).toBeVisible()
    })
  })
}

test('what is typed while an invitation is sent stays', async ({ page }) => {
  await signInAsAdmin(page)
  await page.goto(`${server.url}/admin/invitations`)
  const emails = page.getByLabel('Emails')
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/admin/invitations', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  await emails.fill('first@example.com')
  await page.getByRole('button', { name: 'Send invitations' }).click()
  await emails.fill('first@example.com next@example.com')
  release()
  await expect(page.getByRole('row', { name: 'first@example.com' })).toBeVisible()
  await expect(emails).toHaveValue('next@example.com')
})

test.describe('offline', () => {
  test.use({ allowedErrors: lostConnectionErrors })

  test('invitations stay in the form and are sent again', async ({ page }) => {
    await signInAsAdmin(page)
    await page.goto(`${server.url}/admin/invitations`)
    const emails = page.getByLabel('Emails')
    await emails.fill('tunnel@example.com')
    await page.getByLabel('Role').selectOption('editor')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Send invitations' }).click()
    await expect(page.getByRole('alert').locator('p')).toHaveText(offline)
    await expect(emails).toHaveValue('tunnel@example.com')
    await expect(page.getByLabel('Role')).toHaveValue('editor')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    const row = page.getByRole('row', { name: 'tunnel@example.com' })
    await expect(row.getByRole('cell', { name: 'editor' })).toBeVisible()
    await expect(emails).toHaveValue('')
  })
})
