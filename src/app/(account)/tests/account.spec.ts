import type { Page } from '@playwright/test'
import {
  anotherBrowser,
  expect,
  expectEveryScreen,
  messageAbout,
  nightly,
  password,
  randomIp,
  signIn as signInAt,
  signUp as signUpAs,
  test,
} from 'plinth/testing/browser'

// A separate IP per test, because requests for mail are rate limited per IP.
test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': randomIp() }))

const signUp = (page: Page) => signUpAs(page.context(), 'Bea Long')

async function signIn(page: Page, email: string, currentPassword = password) {
  await page.goto('/sign-in?callbackUrl=%2Faccount')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(currentPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function onAnotherDevice(page: Page, email: string, javaScriptEnabled = true) {
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const context = await anotherBrowser(page, { javaScriptEnabled, userAgent })
  await signInAt(context, email, password)
  return { page: await context.newPage(), close: () => context.close() }
}

const heading = (page: Page) => page.getByRole('heading', { name: 'Profile', exact: true })
const notice = (page: Page, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text }).first()
const sessionRows = (page: Page) =>
  page.getByRole('table', { name: 'Active sessions' }).locator('tbody tr')

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('changes the name, and shows a field error for an invalid one', async ({ page }) => {
      await signUp(page)
      await page.goto('/account')
      const name = page.getByLabel('Name')
      await expect(name).toHaveValue('Bea Long')
      await name.fill('  \u202e ')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await expect(name).toHaveAccessibleDescription('Enter your name.')
      await expect(name).toBeFocused()
      await expect(name).toHaveValue('  \u202e ')
      await name.fill('Bea Short')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await expect(notice(page, 'Profile saved.')).toBeVisible()
      await expect(name).toHaveValue('Bea Short')
      await expect(
        page.getByRole('banner').getByRole('button', { name: 'Bea Short' }),
      ).toBeVisible()
    })

    // Every form works without JavaScript in the same way. One of them stands for all until night.
    if (!javaScriptEnabled && !nightly) return

    test('changes the password, signs out the other browser and sends a notification', async ({
      page,
    }) => {
      const email = await signUp(page)
      const other = await onAnotherDevice(page, email, javaScriptEnabled)
      await page.goto('/account/sign-in')
      const current = page.getByLabel('Current password')
      const next = page.getByLabel('New password')
      const submit = page.getByRole('button', { name: 'Change password' })

      await current.fill('not the password')
      await next.fill('something quite new')
      await submit.click()
      await expect(current).toHaveAccessibleDescription('The password is incorrect.')
      await expect(current).toBeFocused()
      await expect(current).toHaveValue('')
      await expect(next).toHaveValue('')

      for (const [candidate, message] of [
        ['short', /at least 10 characters\./],
        ['password123', /too easy to guess/],
        [password, /must differ from the current one/],
      ] as const) {
        await current.fill(password)
        await next.fill(candidate)
        await submit.click()
        await expect(next).toHaveAccessibleDescription(message)
        await expect(next).toBeFocused()
      }

      await current.fill(password)
      await next.fill('something quite new')
      await submit.click()
      await expect(notice(page, 'Password changed.')).toBeVisible()
      await expect(page).toHaveURL('/account/sign-in')
      await page.goto('/account/sessions')
      await expect(sessionRows(page)).toHaveCount(1)
      await messageAbout(email, 'The sign-in to your account was changed')

      await other.page.goto('/account')
      await expect(other.page).toHaveURL(/\/sign-in\?callbackUrl=%2Faccount$/)
      await signIn(other.page, email)
      await expect(other.page.getByText('The email or password is incorrect.')).toBeVisible()
      await signIn(other.page, email, 'something quite new')
      await expect(heading(other.page)).toBeVisible()
      await other.close()
    })

    test('revokes one session, then all others', async ({ page }) => {
      const email = await signUp(page)
      const others = [
        await onAnotherDevice(page, email),
        await onAnotherDevice(page, email),
        await onAnotherDevice(page, email),
      ]
      await page.goto('/account/sessions')
      await expect(sessionRows(page)).toHaveCount(4)
      await expect(sessionRows(page).first()).toContainText('This device')
      await expect(sessionRows(page).filter({ hasText: 'Firefox on Linux' })).toHaveCount(3)

      await sessionRows(page).nth(1).getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('button', { name: 'Revoke session', exact: true }).click()
      await expect(notice(page, 'Session revoked: Firefox on Linux.')).toBeVisible()
      await expect(sessionRows(page)).toHaveCount(3)

      await page.getByRole('button', { name: 'Revoke all other sessions' }).click()
      await page.getByRole('button', { name: 'Revoke sessions', exact: true }).click()
      await expect(notice(page, 'All other sessions revoked.')).toBeVisible()
      await expect(sessionRows(page)).toHaveCount(1)
      await expect(page.getByRole('button', { name: 'Revoke all other sessions' })).toHaveCount(0)
      for (const other of others) {
        await other.page.goto('/account')
        await expect(other.page).toHaveURL(/\/sign-in/)
        await other.close()
      }
    })

    test('revoking a session that has already ended shows an error', { tag: '@slow' }, async ({
      page,
    }) => {
      const email = await signUp(page)
      const other = await onAnotherDevice(page, email)
      await page.goto('/account/sessions')
      const revoke = sessionRows(page).nth(1).getByRole('button', { name: 'Revoke' })
      await expect(revoke).toBeVisible()
      await other.page.request.post('/api/auth/signout', { data: { redirect: false } })
      await revoke.click()
      if (javaScriptEnabled) {
        await page.getByRole('button', { name: 'Revoke session', exact: true }).click()
        const dialog = page.getByRole('dialog', { name: 'Revoke this session?' })
        await expect(dialog.getByText('This session has already ended.')).toBeVisible()
        await dialog.getByRole('link', { name: 'Cancel' }).click()
        await expect(dialog).toBeHidden()
        await expect(revoke).toBeFocused()
      } else {
        // The page was requested again, and the session is no longer listed.
        await expect(sessionRows(page)).toHaveCount(1)
      }
      await other.close()
    })

    test('deletes the account after the email and the password are entered', async ({ page }) => {
      const email = await signUp(page)
      await page.goto('/account/data')
      await page.getByText('Delete your account').click()
      const emailInput = page.getByLabel(/^Enter your email/)
      const passwordInput = page.getByLabel('Your password')
      const submit = page.getByRole('button', { name: 'Delete account' })

      await emailInput.fill('other@example.com')
      await passwordInput.fill(password)
      await submit.click()
      await expect(emailInput).toHaveAccessibleDescription('The email does not match your account.')
      await expect(emailInput).toHaveValue('other@example.com')
      await expect(emailInput).toBeFocused()
      await expect(passwordInput).toHaveValue('')

      await emailInput.fill(email)
      await passwordInput.fill('not the password')
      await submit.click()
      await expect(passwordInput).toHaveAccessibleDescription('The password is incorrect.')
      await expect(emailInput).toHaveValue(email)

      await passwordInput.fill(password)
      await submit.click()
      await expect(page).toHaveURL('/account/deleted')
      await expect(page.getByRole('heading', { name: 'Your account was deleted.' })).toBeVisible()
      await page.goto('/account')
      await expect(page).toHaveURL(/\/sign-in/)
      await signIn(page, email)
      await expect(page.getByText('The email or password is incorrect.')).toBeVisible()
    })
  })
}

test('downloads the user data as a file', { tag: '@slow' }, async ({ page }) => {
  const email = await signUp(page)
  await page.goto('/account/data')
  const started = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download data' }).click()
  const download = await started
  expect(download.suggestedFilename()).toBe('account-data.json')
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const data = JSON.parse(Buffer.concat(chunks).toString())
  expect(data.profile).toMatchObject({ email, name: 'Bea Long' })
  expect(data.events.map(({ action }: { action: string }) => action)).toContain('sign_up')
})

test('the theme and the time zone follow the user to a new device', { tag: '@slow' }, async ({
  page,
}) => {
  const email = await signUp(page)
  await page.goto('/account')
  await page.getByLabel('Time zone').fill('nowhere')
  await page.getByRole('button', { name: 'Save preferences' }).click()
  const zone = page.getByLabel('Time zone')
  await expect(zone).toHaveAccessibleDescription(/^Enter a time zone/)
  await expect(zone).toBeFocused()
  await zone.fill('asia/tokyo')
  await page.getByLabel('Theme', { exact: true }).selectOption('Dark')
  await page.getByRole('button', { name: 'Save preferences' }).click()
  await expect(notice(page, 'Preferences saved.')).toBeVisible()
  await expect(zone).toHaveValue('Asia/Tokyo')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

  const other = await onAnotherDevice(page, email)
  await other.page.goto('/account/sessions')
  await expect(other.page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(sessionRows(other.page).first().locator('time').first()).toHaveAttribute(
    'title',
    /(GMT|UTC)\+9|Japan/,
  )
  const light = other.page.getByRole('group', { name: 'Theme' }).getByLabel('Light')
  const saved = other.page.waitForResponse('**/api/preferences')
  await light.check()
  expect((await saved).status()).toBe(200)
  await page.goto('/account')
  await expect(page.getByLabel('Theme', { exact: true })).toHaveValue('light')
  await other.close()
})

test('the user menu links to the account page, also on a prerendered page', async ({ page }) => {
  await signUp(page)
  for (const path of ['/', '/forgot']) {
    await page.goto(path)
    await page.getByRole('banner').getByRole('button', { name: 'Bea Long' }).click()
    await page.getByRole('banner').getByRole('link', { name: 'Account' }).click()
    await expect(heading(page)).toBeVisible()
  }
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Account' })).toHaveCount(0)
})

test('ignores an unknown error in the URL', { tag: '@slow' }, async ({ page }) => {
  await signUp(page)
  await page.goto('/account/connected?error=%3Cb%3Ehello%3C/b%3E')
  await expect(page.getByRole('heading', { name: 'Connected accounts' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
  await page.goto('/account?error=account_linked_elsewhere')
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'is already linked to another user',
  )
})

test('every section renders on every screen and has its title', { tag: '@slow' }, async ({
  page,
}) => {
  const email = await signUp(page)
  const other = await onAnotherDevice(page, email)
  for (const section of ['Profile', 'Sign-in', 'Sessions', 'Data']) {
    await page.goto('/account')
    await page.getByRole('navigation', { name: 'Account' }).getByText(section).click()
    await expect(page.getByRole('heading', { name: section, level: 1 })).toBeVisible()
    await expect(page).toHaveTitle(new RegExp(`^${section} · Account · `))
    await expectEveryScreen(page, `account-${section.toLowerCase()}`)
  }
  await other.close()
})

test('links to the sections of the earlier page lead to their pages', { tag: '@slow' }, async ({
  page,
}) => {
  await signUp(page)
  await page.goto('/account#sessions')
  await expect(page).toHaveURL('/account/sessions')
  await page.goto('/account?revoke=x')
  await expect(page).toHaveURL('/account/sessions?revoke=x')
})

test('errors and confirmations render on every screen', { tag: '@slow' }, async ({ page }) => {
  const email = await signUp(page)
  const other = await onAnotherDevice(page, email)
  await page.goto('/account/sign-in')
  await page.getByLabel('Current password').fill('wrong')
  await page.getByLabel('New password').fill('something quite new')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('The password is incorrect.')).toBeVisible()
  await page.goto('/account/data')
  await page.getByText('Delete your account').click()
  await page.getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByText('Enter your password.')).toBeVisible()
  await expectEveryScreen(page, 'account-errors')
  await page.goto('/account/sessions')

  await sessionRows(page).nth(1).getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('button', { name: 'Revoke session', exact: true })).toBeVisible()
  await expectEveryScreen(page, 'account-confirm')
  await page.goto('/account/deleted')
  await expectEveryScreen(page, 'account-deleted')
  await other.close()
})
