import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import {
  anotherBrowser,
  expect,
  expectEveryScreen,
  nightly,
  password,
  randomIp,
  signIn,
  signUp,
  test,
} from 'plinth/testing/browser'

// A separate IP per test, because requests for mail are rate limited per IP.
test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': randomIp() }))

async function signInAsAdmin(page: Page) {
  await page.context().clearCookies()
  await signIn(page.context(), 'admin@example.com')
}

/** A new user who stays signed in in a separate browser. */
async function newUser(page: Page) {
  const context = await anotherBrowser(page)
  const name = `Kim ${randomUUID().slice(0, 8)}`
  const email = await signUp(context, name)
  return { email, name, page: await context.newPage(), close: () => context.close() }
}

async function roleOf(page: Page): Promise<string> {
  const { user } = await (await page.request.get('/api/auth/session')).json()
  return user.role
}

const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('finds a user, changes the role with immediate effect and undoes it', async ({ page }) => {
      const user = await newUser(page)
      await signInAsAdmin(page)
      await page.goto('/admin')
      await page.getByRole('link', { name: 'Users', exact: true }).click()
      const search = page.getByLabel('Search by name or email')
      await search.pressSequentially(user.email.slice(0, 12))
      if (!javaScriptEnabled)
        await page.getByRole('button', { name: 'Search', exact: true }).click()
      await expect(page.getByText('1 user', { exact: true })).toBeVisible()
      await expect(page).toHaveURL(/query=/)
      if (javaScriptEnabled) await expect(search).toBeFocused()
      expect(await roleOf(user.page)).toBe('viewer')

      await page.getByRole('checkbox', { name: user.name }).check()
      await page.getByRole('button', { name: 'Change selected users' }).click()
      await page.getByLabel('New role').selectOption('viewer')
      const change = page.getByRole('button', { name: 'Change role of 1 user' })
      await change.click()
      await expect(page.getByText('No change: the chosen users are already viewer.')).toBeVisible()
      await page.getByLabel('New role').selectOption('editor')
      await change.click()
      await expect(page).toHaveURL(/\/admin\/users\?query=/)
      const changed = `Role of ${user.name} changed from viewer to editor.`
      await expect(status(page, changed).first()).toBeVisible()
      await expect(page.getByRole('cell', { name: 'editor' })).toBeVisible()
      expect(await roleOf(user.page)).toBe('editor')
      await page.getByRole('button', { name: 'Undo' }).first().click()
      await expect(page.getByRole('heading', { level: 1, name: user.name })).toBeVisible()
      await expect(page.getByLabel(`Role of ${user.name}`)).toHaveValue('viewer')
      expect(await roleOf(user.page)).toBe('viewer')
      await user.close()
    })

    // Every form works without JavaScript in the same way. One of them stands for all until night.
    if (!javaScriptEnabled && !nightly) return

    test('revokes sessions, and deletes the account after confirmation', async ({ page }) => {
      const user = await newUser(page)
      const session = async () => (await user.page.request.get('/api/auth/session')).json()
      const signInAgain = () =>
        user.page.request.post('/api/auth/signin', {
          data: { email: user.email, password, redirect: false },
        })
      await signInAsAdmin(page)
      await page.goto(`/admin/users?query=${user.email}`)
      await page.getByRole('link', { name: user.name }).click()
      await expect(page.getByRole('heading', { level: 1, name: user.name })).toBeVisible()
      await expect(page).toHaveTitle(new RegExp(user.name))
      await expect(page.getByText('Password', { exact: true })).toBeVisible()

      await page.getByRole('button', { name: 'Revoke', exact: true }).click()
      await page.getByRole('button', { name: 'Revoke session', exact: true }).click()
      await expect(status(page, `Session of ${user.name}`).first()).toBeVisible()
      expect(await session()).toBeNull()

      await signInAgain()
      expect(await session()).not.toBeNull()
      await page.reload()
      await page.getByRole('button', { name: 'Revoke all sessions' }).click()
      await page.getByRole('button', { name: 'Revoke sessions', exact: true }).click()
      await expect(status(page, `All sessions of ${user.name} revoked.`).first()).toBeVisible()
      expect(await session()).toBeNull()

      await page.getByRole('button', { name: 'Delete account' }).click()
      await page.getByRole('button', { name: 'Cancel' }).last().click()
      await expect(page.getByRole('button', { name: 'Delete this account' })).toBeHidden()
      await page.getByRole('button', { name: 'Delete account' }).click()
      await page.getByRole('button', { name: 'Delete this account' }).click()
      await expect(status(page, `Account ${user.email} deleted.`).first()).toBeVisible()
      expect((await signInAgain()).status()).toBe(401)
      await page.goto(`/admin/users?query=${user.email}`)
      await expect(page.getByText('No users match your search.')).toBeVisible()
      await user.close()
    })

    test('filters the audit log and downloads the result', async ({ page }) => {
      const user = await newUser(page)
      await signInAsAdmin(page)
      await page.goto('/admin/audit')
      await page.getByLabel('Action', { exact: true }).selectOption('sign_up')
      await page.getByLabel('Outcome').selectOption('success')
      await page.getByLabel('User (name, email or ID)').fill(user.name)
      await page.getByRole('button', { name: 'Filter' }).click()
      await expect(page).toHaveURL(/action=sign_up/)
      await expect(page.getByRole('row')).toHaveCount(2)
      await expect(page.getByRole('cell', { name: 'success' })).toBeVisible()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download CSV' }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^audit-[\d-]+\.csv$/)
      const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
      expect(lines).toHaveLength(2)
      expect(lines[1]).toContain(`"${user.email}"`)
      await page.getByRole('link', { name: 'Clear' }).click()
      await expect(page).toHaveURL('/admin/audit')
      await expect(page.getByLabel('Outcome')).toHaveValue('')
      await expect(page.getByRole('link', { name: 'Clear' })).toHaveCount(0)
      await user.close()
    })

    test('pages through the users and back', { tag: '@slow' }, async ({ page }) => {
      await signInAsAdmin(page)
      await page.goto('/admin/users?query=demo&sort=email&limit=1')
      const next = page.getByRole('link', { name: 'Next page' })
      const previous = page.getByRole('link', { name: 'Previous page' })
      const names = ['Demo Admin', 'Demo Editor', 'Demo Viewer']
      for (const [index, name] of names.entries()) {
        if (index > 0) await next.click()
        await expect(page.getByRole('link', { name })).toBeVisible()
      }
      await expect(next).toHaveCount(0)
      for (const name of names.slice(0, 2).reverse()) {
        await previous.click()
        await expect(page.getByRole('link', { name })).toBeVisible()
      }
      await expect(previous).toHaveCount(0)
    })
  })
}

test('suggests users while a name is typed', { tag: '@slow' }, async ({ page }) => {
  await signInAsAdmin(page)
  await page.goto('/admin/audit')
  await page.getByLabel('User (name, email or ID)').pressSequentially('demo ed')
  await expect(page.locator('datalist option[value="editor@example.com"]')).toHaveCount(1)
})

test('sorts by a column and keeps the form and the links in step', { tag: '@slow' }, async ({
  page,
}) => {
  await signInAsAdmin(page)
  await page.goto('/admin/users?query=demo')
  const header = page.getByRole('columnheader', { name: 'User' })
  await header.getByRole('link').click()
  await expect(header).toHaveAttribute('aria-sort', 'ascending')
  await expect(page.getByLabel('Sort')).toHaveValue('name')
  await header.getByRole('link').click()
  await expect(header).toHaveAttribute('aria-sort', 'descending')
  await expect(page.getByRole('rowheader').first()).toContainText('Demo Viewer')
  await page.getByRole('link', { name: 'Clear' }).click()
  await expect(page.getByLabel('Search by name or email')).toHaveValue('')
  await page.goto('/admin/users?query=demo')
  await page.getByLabel('Select all on this page').check()
  await expect(page.getByRole('checkbox', { name: 'Demo Admin' })).toBeChecked()
  await page.getByRole('button', { name: 'Change selected users' }).click()
  await expect(page.getByText('Your own account is left out.')).toBeVisible()
})

test('the audit log is in sentences, with relative times and exact ones on hover', {
  tag: '@slow',
}, async ({ page }) => {
  await signInAsAdmin(page)
  await page.goto('/admin/audit?user=demo+admin&action=sign_in')
  const row = page.getByRole('row', { name: /Demo Admin signed in with a password/ }).first()
  const time = row.locator('time')
  await expect(time).toHaveText(/this minute|minutes? ago/)
  await expect(time).toHaveAttribute('title', /\d{4}/)
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  await expect(page.getByLabel(`From (${zone})`)).toBeVisible()
})

test('the own page marks this device and warns before giving up access', { tag: '@slow' }, async ({
  page,
}) => {
  await signInAsAdmin(page)
  const { user } = await (await page.request.get('/api/auth/session')).json()
  await page.goto(`/admin/users/${user.id}`)
  await expect(page.getByText('This device')).toHaveCount(1)
  await page.getByLabel('Role of Demo Admin').selectOption('viewer')
  await page.getByRole('button', { name: 'Change role' }).click()
  await expect(page.getByText('Confirm that you give up the admin role.')).toBeVisible()
  await expect(page.getByLabel('I give up the admin role')).toBeFocused()
  expect(await roleOf(page)).toBe('admin')
  const own = page.getByRole('row', { name: 'This device' })
  await own.getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('This is the session that you use now.')).toBeVisible()
  await page.getByRole('button', { name: 'Revoke session', exact: true }).click()
  await expect(page).toHaveURL(/\/sign-in/)
})

test('the overview shows charts and their data as tables', async ({ page }) => {
  await signInAsAdmin(page)
  await page.goto('/admin')
  await expect(page.getByRole('img', { name: /Users over time/ })).toBeVisible()
  await expect(page.getByRole('img', { name: /Sign-ins per day/ })).toBeVisible()
  await page.getByText('View as table').first().click()
  const table = page.getByRole('table', { name: 'Users over time' })
  await expect(table.getByRole('row')).toHaveCount(91)
})

test('a user who is not an admin sees no link to the pages and gets 403', async ({ page }) => {
  const adminLink = page.getByRole('link', { name: 'Admin', exact: true })
  await signInAsAdmin(page)
  await page.goto('/forgot')
  await expect(adminLink).toHaveCount(1)
  await page.request.post('/api/auth/signin', {
    data: { email: 'editor@example.com', password: 'plinth-demo-1', redirect: false },
  })
  await page.goto('/forgot')
  await expect(page.getByRole('button', { name: 'Demo Editor' })).toBeVisible()
  await expect(adminLink).toHaveCount(0)
  for (const path of [
    '/admin',
    '/admin/users',
    '/admin/audit',
    '/admin/jobs',
    '/admin/invitations',
  ]) {
    expect((await page.request.get(path)).status()).toBe(403)
  }
})

test('with open sign-up there is no link to invitations, and the page says why', {
  tag: '@slow',
}, async ({ page }) => {
  await signInAsAdmin(page)
  await page.goto('/admin/invitations')
  await expect(page.getByRole('link', { name: 'Audit log' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Invitations' })).toHaveCount(0)
  await expect(page.getByText('Invitations are turned off.')).toBeVisible()
})

test('the pages render on every screen', { tag: '@slow' }, async ({ page }) => {
  await signInAsAdmin(page)
  const pages = {
    admin: '/admin',
    'admin-users': '/admin/users',
    'admin-audit': '/admin/audit',
    'admin-invitations': '/admin/invitations',
    'admin-jobs': '/admin/jobs',
  }
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(path)
    await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)
    await expectEveryScreen(page, name)
  }
})

test('the page of a user renders on every screen', { tag: '@slow' }, async ({ page }) => {
  await signInAsAdmin(page)
  await page.goto('/admin/users?query=demo%20viewer')
  await page.getByRole('link', { name: 'Demo Viewer' }).click()
  await expect(page.getByRole('heading', { name: 'Delete account' })).toBeVisible()
  await expectEveryScreen(page, 'admin-user')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await expectEveryScreen(page, 'admin-user-delete')
})
