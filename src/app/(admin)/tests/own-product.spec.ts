import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from '@tests/e2e/support/accessibility'
import { lookAt, saveScreenshot } from '@tests/e2e/support/looks'
import { expect, test } from '@tests/e2e/support/test'
import { type Server, startServer } from '@tests/support/server'

const folder = mkdtempSync(join(tmpdir(), 'plinth-invite-'))
let server: Server

// A product of its own: the one that all share is open to everybody, and needs its admin.
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

    test('somebody is invited, and the invitation withdrawn', async ({ page }) => {
      const email = `guest-${javaScriptEnabled}@example.com`
      await signInAsAdmin(page)
      await page.goto(`${server.url}/admin/invitations`)
      const invite = page.getByRole('button', { name: 'Invite' })
      await page.getByLabel('E-mail').fill('viewer@example.com')
      await invite.click()
      await expect(page.getByText('This address has an account already.')).toBeVisible()
      await expect(page.getByLabel('E-mail')).toHaveValue('viewer@example.com')

      await page.getByLabel('E-mail').fill(email)
      await invite.click()
      const said = page.getByRole('status')
      await expect(said.filter({ hasText: 'The invitation is on its way.' })).toBeVisible()
      const row = page.getByRole('row', { name: email })
      await expect(row).toBeVisible()
      // The link is made when the message is sent, in the background.
      await expect
        .poll(async () => {
          await page.goto(`${server.url}/admin/invitations`)
          return row.getByText('on its way').count()
        })
        .toBe(0)
      if (javaScriptEnabled) {
        for (const width of [390, 1440] as const) {
          await lookAt(page, width, 'light')
          await expectAccessible(page)
          await saveScreenshot(page, 'admin-invited', width, 'light')
        }
      }
      await row.getByRole('button', { name: 'Withdraw' }).click()
      await page.getByRole('button', { name: 'Withdraw the invitation' }).click()
      await expect(said.filter({ hasText: 'The invitation is withdrawn.' })).toBeVisible()
      await expect(row).toHaveCount(0)
    })

    test('the last admin is refused with a sentence', async ({ page }) => {
      await signInAsAdmin(page)
      await page.goto(`${server.url}/admin/users?query=admin%40example.com`)
      await page.getByLabel('Role of Demo Admin').selectOption('viewer')
      await page.getByRole('button', { name: 'Change' }).click()
      await expect(page.getByText('The last admin can be neither demoted')).toBeVisible()
      await page.getByRole('link', { name: 'Demo Admin' }).click()
      await expect(page.getByText('You delete your own account on your account')).toBeVisible()
    })
  })
}
