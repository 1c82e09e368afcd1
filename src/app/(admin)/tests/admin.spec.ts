import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectEveryLook } from '@tests/e2e/support/looks'
import { anotherBrowser, password, signIn, signUp } from '@tests/e2e/support/people'
import { expect, test } from '@tests/e2e/support/test'

// Each test at an address of its own: how often mail may be asked for is counted.
test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': randomUUID() }))

async function signInAsAdmin(page: Page) {
  await page.context().clearCookies()
  await signIn(page.context(), 'admin@example.com')
}

/** Somebody new, who stays signed in in a browser of their own. */
async function newPerson(page: Page) {
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

    test('an admin finds somebody, changes the role, and it acts at once', async ({ page }) => {
      const person = await newPerson(page)
      await signInAsAdmin(page)
      await page.goto('/admin')
      await page.getByRole('link', { name: 'People', exact: true }).click()
      await page.getByLabel('Part of the name or e-mail').fill(person.email.slice(0, 12))
      await page.getByRole('button', { name: 'Show' }).click()
      await expect(page.getByText('1 person', { exact: true })).toBeVisible()
      expect(await roleOf(person.page)).toBe('viewer')

      await page.getByLabel(`Role of ${person.name}`).selectOption('editor')
      await page.getByRole('button', { name: 'Change' }).click()
      await expect(status(page, 'Now editor.')).toBeVisible()
      await expect(page.getByLabel(`Role of ${person.name}`)).toHaveValue('editor')
      expect(await roleOf(person.page)).toBe('editor')
      await person.close()
    })

    test('an admin ends sessions, and deletes the account after being asked', async ({ page }) => {
      const person = await newPerson(page)
      const session = async () => (await person.page.request.get('/api/auth/session')).json()
      const signInAgain = () =>
        person.page.request.post('/api/auth/signin', {
          data: { email: person.email, password, redirect: false },
        })
      await signInAsAdmin(page)
      await page.goto(`/admin/users?query=${person.email}`)
      await page.getByRole('link', { name: person.name }).click()
      await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible()
      await expect(page.getByText('password', { exact: true })).toBeVisible()

      await page.getByRole('button', { name: 'End this' }).click()
      await expect(status(page, 'The session has ended.')).toBeVisible()
      expect(await session()).toBeNull()

      await signInAgain()
      expect(await session()).not.toBeNull()
      await page.reload()
      await page.getByRole('button', { name: 'End all sessions' }).click()
      await page.getByRole('button', { name: 'End all of them' }).click()
      await expect(status(page, 'All sessions of this person have ended.')).toBeVisible()
      expect(await session()).toBeNull()

      await page.getByRole('button', { name: 'Delete the account' }).click()
      await page.getByRole('button', { name: 'Cancel' }).last().click()
      await expect(page.getByRole('button', { name: 'Delete this account' })).toBeHidden()
      await page.getByRole('button', { name: 'Delete the account' }).click()
      await page.getByRole('button', { name: 'Delete this account' }).click()
      await expect(status(page, 'The account is deleted')).toBeVisible()
      expect((await signInAgain()).status()).toBe(401)
      await page.goto(`/admin/users?query=${person.email}`)
      await expect(page.getByText('Nobody is found.')).toBeVisible()
      await person.close()
    })

    test('the trail is filtered, and what is left is downloaded', async ({ page }) => {
      const person = await newPerson(page)
      await signInAsAdmin(page)
      await page.goto('/admin/audit')
      await page.getByLabel('What').selectOption('sign_up')
      await page.getByLabel('Outcome').selectOption('success')
      await page.getByLabel('Person (e-mail or id)').fill(person.email)
      await page.getByRole('button', { name: 'Show' }).click()
      await expect(page).toHaveURL(/action=sign_up/)
      await expect(page.getByRole('row')).toHaveCount(2)
      await expect(page.getByRole('cell', { name: 'success' })).toBeVisible()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download as CSV' }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^audit-[\d-]+\.csv$/)
      const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
      expect(lines).toHaveLength(2)
      expect(lines[1]).toContain(`"${person.email}"`)
      await person.close()
    })
  })
}

test('people who fit are suggested while a name is typed', async ({ page }) => {
  await signInAsAdmin(page)
  await page.goto('/admin/audit')
  await page.getByLabel('Person (e-mail or id)').pressSequentially('demo ed')
  await expect(page.locator('datalist option[value="editor@example.com"]')).toHaveCount(1)
})

test('the overview has its numbers as plots and as tables', async ({ page }) => {
  await signInAsAdmin(page)
  await page.goto('/admin')
  await expect(page.getByRole('img', { name: /People over time/ })).toBeVisible()
  await expect(page.getByRole('img', { name: /Sign-ins by day/ })).toBeVisible()
  await page.getByText('As a table').first().click()
  const table = page.getByRole('table', { name: 'People over time' })
  await expect(table.getByRole('row')).toHaveCount(91)
})

test('whoever is no admin sees no way in, and none is there', async ({ page }) => {
  const wayIn = page.getByRole('link', { name: 'Admin', exact: true })
  await signInAsAdmin(page)
  await page.goto('/forgot')
  await expect(wayIn).toHaveCount(1)
  await page.request.post('/api/auth/signin', {
    data: { email: 'editor@example.com', password: 'plinth-demo-1', redirect: false },
  })
  await page.goto('/forgot')
  await expect(page.getByRole('button', { name: 'Demo Editor' })).toBeVisible()
  await expect(wayIn).toHaveCount(0)
  for (const path of ['/admin', '/admin/users', '/admin/audit', '/admin/invitations']) {
    expect((await page.request.get(path)).status()).toBe(403)
  }
})

test('invitations say why there are none where nobody needs one', async ({ page }) => {
  await signInAsAdmin(page)
  await page.goto('/admin/invitations')
  await expect(page.getByText('Nobody has to be invited here.')).toBeVisible()
})

test('the pages, at every look', async ({ page }) => {
  await signInAsAdmin(page)
  const pages = {
    admin: '/admin',
    'admin-users': '/admin/users',
    'admin-audit': '/admin/audit',
    'admin-invitations': '/admin/invitations',
  }
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(path)
    await expect(page.getByRole('status').filter({ hasText: 'being' })).toHaveCount(0)
    await expectEveryLook(page, name)
  }
})

test("one person's page, at every look", async ({ page }) => {
  await signInAsAdmin(page)
  await page.goto('/admin/users?query=demo%20viewer')
  await page.getByRole('link', { name: 'Demo Viewer' }).click()
  await expect(page.getByRole('heading', { name: 'Deletion' })).toBeVisible()
  await expectEveryLook(page, 'admin-user')
  await page.getByRole('button', { name: 'Delete the account' }).click()
  await expectEveryLook(page, 'admin-user-delete')
})
