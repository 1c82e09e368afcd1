import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expectEveryLook } from '@tests/e2e/support/looks'
import { messagesTo } from '@tests/e2e/support/outbox'
import {
  anotherBrowser,
  password,
  signIn as signInAt,
  signUp as signUpAs,
} from '@tests/e2e/support/people'
import { expect, test } from '@tests/e2e/support/test'

// Each test at an address of its own: how often mail may be asked for is counted.
test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': randomUUID() }))

const signUp = (page: Page) => signUpAs(page.context(), 'Bea Long')

async function signIn(page: Page, email: string, word = password) {
  await page.goto('/sign-in?callbackUrl=%2Faccount')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(word)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function onAnotherDevice(page: Page, email: string, javaScriptEnabled = true) {
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const context = await anotherBrowser(page, { javaScriptEnabled, userAgent })
  await signInAt(context, email, password)
  return { page: await context.newPage(), close: () => context.close() }
}

const heading = (page: Page) => page.getByRole('heading', { name: 'Your account', exact: true })
const told = (page: Page, text: string | RegExp) =>
  page.getByRole('main').getByRole('status').filter({ hasText: text })
const sessionRows = (page: Page) =>
  page.getByRole('table', { name: 'Signed in on' }).locator('tbody tr')

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('the name is changed, and one that is none is told beside the field', async ({ page }) => {
      await signUp(page)
      await page.goto('/account')
      const name = page.getByLabel('Name')
      await expect(name).toHaveValue('Bea Long')
      await name.fill('  \u202e ')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(name).toHaveAccessibleDescription('Enter your name.')
      await expect(name).toBeFocused()
      await expect(name).toHaveValue('  \u202e ')
      await name.fill('Bea Short')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(told(page, 'Your profile is saved.')).toBeVisible()
      await expect(name).toHaveValue('Bea Short')
      await expect(
        page.getByRole('banner').getByRole('button', { name: 'Bea Short' }),
      ).toBeVisible()
    })

    test('the password is changed: this browser stays, the other is out, and mail tells of it', async ({
      page,
    }) => {
      const email = await signUp(page)
      const other = await onAnotherDevice(page, email, javaScriptEnabled)
      await page.goto('/account')
      const current = page.getByLabel('Current password')
      const next = page.getByLabel('New password')
      const submit = page.getByRole('button', { name: 'Change password' })

      await current.fill('not the password')
      await next.fill('something quite new')
      await submit.click()
      await expect(current).toHaveAccessibleDescription('This is not your password.')
      await expect(current).toBeFocused()
      await expect(current).toHaveValue('')
      await expect(next).toHaveValue('')

      for (const [word, complaint] of [
        ['short', /at least 10 characters\./],
        ['password123', /too easy to guess/],
        [password, /the password that you have/],
      ] as const) {
        await current.fill(password)
        await next.fill(word)
        await submit.click()
        await expect(next).toHaveAccessibleDescription(complaint)
        await expect(next).toBeFocused()
      }

      await current.fill(password)
      await next.fill('something quite new')
      await submit.click()
      await expect(told(page, 'Your password is changed.')).toBeVisible()
      await expect(sessionRows(page)).toHaveCount(1)
      const notice = (await messagesTo(email, 2)).at(-1)
      expect(notice?.subject).toBe('Your password was changed')

      await other.page.goto('/account')
      await expect(other.page).toHaveURL(/\/sign-in\?callbackUrl=%2Faccount$/)
      await signIn(other.page, email)
      await expect(
        other.page.getByText('The e-mail address or the password is wrong.'),
      ).toBeVisible()
      await signIn(other.page, email, 'something quite new')
      await expect(heading(other.page)).toBeVisible()
      await other.close()
    })

    test('a session is ended, then all others', async ({ page }) => {
      const email = await signUp(page)
      const others = [
        await onAnotherDevice(page, email),
        await onAnotherDevice(page, email),
        await onAnotherDevice(page, email),
      ]
      await page.goto('/account')
      await expect(sessionRows(page)).toHaveCount(4)
      await expect(sessionRows(page).first()).toContainText('This one')
      await expect(sessionRows(page).filter({ hasText: 'Firefox on Linux' })).toHaveCount(3)

      await sessionRows(page).nth(1).getByRole('button', { name: 'End this' }).click()
      await page.getByRole('button', { name: 'End it' }).click()
      await expect(told(page, 'That session has ended.')).toBeVisible()
      await expect(sessionRows(page)).toHaveCount(3)

      await page.getByRole('button', { name: 'End all others' }).click()
      await page.getByRole('button', { name: 'End them' }).click()
      await expect(told(page, 'Every other session has ended.')).toBeVisible()
      await expect(sessionRows(page)).toHaveCount(1)
      await expect(page.getByRole('button', { name: 'End all others' })).toHaveCount(0)
      for (const other of others) {
        await other.page.goto('/account')
        await expect(other.page).toHaveURL(/\/sign-in/)
        await other.close()
      }
    })

    test('a session that ended meanwhile is no surprise', async ({ page }) => {
      const email = await signUp(page)
      const other = await onAnotherDevice(page, email)
      await page.goto('/account')
      const endIt = sessionRows(page).nth(1).getByRole('button', { name: 'End this' })
      await expect(endIt).toBeVisible()
      await other.page.request.post('/api/auth/signout', { data: { redirect: false } })
      await endIt.click()
      await page.getByRole('button', { name: 'End it' }).click()
      if (javaScriptEnabled) {
        await expect(page.getByText('This session has ended already.')).toBeVisible()
        await expect(page.getByRole('button', { name: 'End it' })).toBeHidden()
      } else {
        // The page is new, and the session is not on it any more.
        await expect(sessionRows(page)).toHaveCount(1)
      }
      await other.close()
    })

    test('the account is deleted once address and password are typed', async ({ page }) => {
      const email = await signUp(page)
      await page.goto('/account')
      await page.getByText('I want to delete my account').click()
      const address = page.getByLabel(/^Type your e-mail address/)
      const word = page.getByLabel('Your password')
      const submit = page.getByRole('button', { name: 'Delete my account' })

      await address.fill('somebody@example.com')
      await word.fill(password)
      await submit.click()
      await expect(address).toHaveAccessibleDescription('This is not your e-mail address.')
      await expect(address).toHaveValue('somebody@example.com')
      await expect(address).toBeFocused()
      await expect(word).toHaveValue('')

      await address.fill(email)
      await word.fill('not the password')
      await submit.click()
      await expect(word).toHaveAccessibleDescription('This is not your password.')
      await expect(address).toHaveValue(email)

      await word.fill(password)
      await submit.click()
      await expect(page).toHaveURL('/account/deleted')
      await expect(page.getByRole('heading', { name: 'Your account is deleted.' })).toBeVisible()
      await page.goto('/account')
      await expect(page).toHaveURL(/\/sign-in/)
      await signIn(page, email)
      await expect(page.getByText('The e-mail address or the password is wrong.')).toBeVisible()
    })
  })
}

test('one’s data is downloaded as a file', async ({ page }) => {
  const email = await signUp(page)
  await page.goto('/account')
  const waiting = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download your data' }).click()
  const download = await waiting
  expect(download.suggestedFilename()).toBe('account-data.json')
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const data = JSON.parse(Buffer.concat(chunks).toString())
  expect(data.profile).toMatchObject({ email, name: 'Bea Long' })
  expect(data.events.map(({ action }: { action: string }) => action)).toContain('sign_up')
})

test('the menu of the person leads here, also from a page that is the same for all', async ({
  page,
}) => {
  await signUp(page)
  for (const path of ['/', '/forgot']) {
    await page.goto(path)
    await page.getByRole('banner').getByRole('button', { name: 'Bea Long' }).click()
    await page.getByRole('banner').getByRole('link', { name: 'Account' }).click()
    await expect(heading(page)).toBeVisible()
  }
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Account' })).toHaveCount(0)
})

test('a wrong code or outcome in the address says nothing', async ({ page }) => {
  await signUp(page)
  await page.goto('/account?done=nonsense&error=%3Cb%3Ehello%3C/b%3E')
  await expect(heading(page)).toBeVisible()
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
  await page.goto('/account?error=account_linked_elsewhere')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('is linked to another')
})

test('the page, at every look', async ({ page }) => {
  const email = await signUp(page)
  const other = await onAnotherDevice(page, email)
  await page.goto('/account?done=profile')
  await expect(sessionRows(page)).toHaveCount(2)
  await expectEveryLook(page, 'account')
  await other.close()
})

test('the page with everything wrong, at every look', async ({ page }) => {
  const email = await signUp(page)
  const other = await onAnotherDevice(page, email)
  await page.goto('/account')
  await page.getByLabel('Current password').fill('wrong')
  await page.getByLabel('New password').fill('something quite new')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('This is not your password.')).toBeVisible()
  await page.getByText('I want to delete my account').click()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByText('Enter your password.')).toBeVisible()
  await expectEveryLook(page, 'account-errors')

  await sessionRows(page).nth(1).getByRole('button', { name: 'End this' }).click()
  await expect(page.getByRole('button', { name: 'End it' })).toBeVisible()
  await expectEveryLook(page, 'account-confirm')
  await page.goto('/account/deleted')
  await expectEveryLook(page, 'account-deleted')
  await other.close()
})
