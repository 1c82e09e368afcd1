import type { Page } from '@playwright/test'
import {
  anotherBuildErrors,
  expect,
  lostConnectionErrors,
  offline,
  password,
  randomIp,
  sendToAnotherBuild,
  signUp,
  test,
} from 'plinth/testing/browser'

test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': randomIp() }))

/** Each sign-in without a cookie adds a session. */
async function signInElsewhere(email: string, times: number) {
  const { baseURL } = test.info().project.use
  for (let index = 0; index < times; index += 1) {
    const response = await fetch(`${baseURL}/api/auth/signin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': randomIp() },
      body: JSON.stringify({ email, password, transport: 'bearer', redirect: false }),
    })
    expect(response.status).toBe(200)
  }
}

const rows = (page: Page) =>
  page.getByRole('table', { name: 'Active sessions' }).locator('tbody tr')

async function revokeFirst(page: Page) {
  await rows(page).first().getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke session', exact: true }).click()
  await expect(notice(page)).toBeVisible()
}

const notice = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'Session revoked' }).first()

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('revoking a session on the second page stays there until it is empty', async ({
      page,
    }) => {
      const email = await signUp(page.context(), 'Bea Long')
      await signInElsewhere(email, 21)
      await page.goto('/account/sessions')
      await expect(rows(page)).toHaveCount(20)
      await expect(rows(page).first()).toContainText('This device')
      const pages = page.getByRole('navigation', { name: 'Pages of sessions' })
      await expect(pages.getByRole('link')).toHaveText(['Next page'])

      await pages.getByRole('link', { name: 'Next page' }).click()
      await expect(page).toHaveURL(/\/account\/sessions\?sessions=[\w-]+$/)
      await expect(rows(page)).toHaveCount(2)
      await expect(page.getByText('This device')).toHaveCount(0)
      await expect(pages.getByRole('link')).toHaveText(['Previous page'])

      await revokeFirst(page)
      await expect(page).toHaveURL(/\/account\/sessions\?sessions=[\w-]+$/)
      await expect(notice(page)).toBeInViewport()
      await expect(rows(page)).toHaveCount(1)

      await revokeFirst(page)
      await expect(rows(page)).toHaveCount(20)
      await expect(rows(page).first()).toContainText('This device')
      await expect(pages).toHaveCount(0)
    })
  })
}

test.describe('after an update of the app', () => {
  test.use({ allowedErrors: anotherBuildErrors })

  test('a session that was not revoked says so, and can be revoked', async ({ page }) => {
    const email = await signUp(page.context(), 'Bea Long')
    await signInElsewhere(email, 1)
    await page.goto('/account/sessions')
    await sendToAnotherBuild(page)
    const revoke = async () => {
      await rows(page).getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('button', { name: 'Revoke session', exact: true }).click()
    }
    await revoke()
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert).toHaveText(/^The app was updated\./, { timeout: 15_000 })
    await expect(rows(page)).toHaveCount(2)
    await revoke()
    await expect(notice(page)).toBeVisible()
    await expect(rows(page)).toHaveCount(1)
  })
})

test.describe('offline', () => {
  test.use({ allowedErrors: lostConnectionErrors })

  test('the dialog stays open, and revokes the session when it is sent again', async ({ page }) => {
    const email = await signUp(page.context(), 'Cal Off')
    await signInElsewhere(email, 1)
    await page.goto('/account/sessions')
    await expect(rows(page)).toHaveCount(2)
    await rows(page).last().getByRole('button', { name: 'Revoke' }).click()
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Revoke session', exact: true })
    // The code of the dialog is loaded when it is opened.
    await expect(confirm).toBeVisible()
    await page.context().setOffline(true)
    await confirm.click()
    await expect(dialog.getByRole('alert').locator('p')).toHaveText(offline)
    await page.context().setOffline(false)
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect(notice(page)).toBeVisible()
    await expect(rows(page)).toHaveCount(1)
  })
})
