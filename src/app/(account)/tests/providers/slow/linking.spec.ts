import type { Page } from '@playwright/test'
import { providersOf } from 'plinth/auth/oauth/providers/providers'
import {
  expect,
  expectAccessible,
  linkTo,
  messagesTo,
  nightly,
  type ServerWithProviders,
  saveScreenshot,
  screens,
  setScreen,
  startServerWithProviders,
  test,
} from 'plinth/testing/browser'
import { config } from '@/plinth.config'

const installed = providersOf(config)

test.describe.configure({ mode: 'serial' })

let server: ServerWithProviders

test.beforeAll(async () => {
  server = await startServerWithProviders(installed)
})
test.afterAll(() => server.stop())

async function signIn(page: Page, email = 'viewer@example.com') {
  await page.goto(`${server.url}/sign-in?callbackUrl=%2Faccount%2Fconnected`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('plinth-demo-1')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Connected accounts' })).toBeVisible()
}

const providerItem = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ hasText: name })
const notice = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).first()

const providerUser = {
  id: '4711',
  name: 'Elsewhere',
  email: 'elsewhere@example.org',
  verified: true,
}

for (const { id, name } of installed) {
  for (const javaScriptEnabled of [true, false]) {
    test.describe(`${name}, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
      test.use({ javaScriptEnabled })

      test('links and unlinks the provider', async ({ page }) => {
        server.providerOf(id).user = providerUser
        await signIn(page)
        await expect(providerItem(page, name)).toContainText('Not linked')
        await providerItem(page, name)
          .getByRole('button', { name: `Link ${name}` })
          .click()
        await expect(notice(page, `${name} linked.`)).toBeVisible()
        await providerItem(page, name).getByRole('button', { name: 'Unlink' }).click()
        await page.getByRole('button', { name: `Unlink ${name}` }).click()
        await expect(notice(page, `${name} unlinked.`)).toBeVisible()
        await expect(providerItem(page, name)).toContainText('Not linked')
      })

      // Every form works without JavaScript in the same way. One of them stands for all until night.
      if (!javaScriptEnabled && !nightly) return

      test('returns to the account page with an error after the user cancels', async ({ page }) => {
        server.providerOf(id).user = 'denies'
        await signIn(page)
        await providerItem(page, name)
          .getByRole('button', { name: `Link ${name}` })
          .click()
        await expect(page).toHaveURL(`${server.url}/account/connected?error=oauth_denied`)
        await expect(page.getByRole('main').getByRole('alert')).toContainText(
          'Sign-in was canceled.',
        )
      })
    })
  }

  test(`a ${name} user without a password cannot unlink it, and can request a password link`, async ({
    page,
  }) => {
    const email = `only-${id}@example.org`
    server.providerOf(id).user = { ...providerUser, id: '4712', email }
    await page.goto(`${server.url}/sign-in?callbackUrl=%2Faccount%2Fconnected`)
    await page.getByRole('button', { name: `Continue with ${name}` }).click()
    await expect(providerItem(page, name)).toContainText('This is your only sign-in method.')
    await expect(page.getByRole('button', { name: 'Unlink' })).toHaveCount(0)
    await page.goto(`${server.url}/account/sign-in`)
    await expect(page.getByLabel('Current password')).toHaveCount(0)
    for (const { width, theme } of screens) {
      await setScreen(page, width, theme)
      await expectAccessible(page)
      await saveScreenshot(page, 'account-without-password', width, theme)
    }
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(notice(page, `We sent an email to ${email}.`)).toBeVisible()
    await page.goto(`${server.url}/account/data`)
    await page.getByText('Delete your account').click()
    await page.getByRole('link', { name: 'Confirm that it is you' }).click()
    await page.getByRole('button', { name: `Continue with ${name}` }).click()
    await page.getByRole('button', { name: 'Send code' }).click()
    // The first message has the link to set a password.
    const message = (await messagesTo(email, 2, server.outbox)).at(-1)
    const [code = ''] = /(?<![\w-])[0-9A-Z]{4}-[0-9A-Z]{4}(?![\w-])/.exec(message?.text ?? '') ?? []
    await page.getByLabel('Code').fill(code)
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByLabel(/^Enter your email/).fill(email)
    await page.getByRole('button', { name: 'Delete account' }).click()
    await expect(page.getByRole('heading', { name: 'Your account was deleted.' })).toBeVisible()
  })
}

test('the mail about a linked account takes back the account of an owner who did not do it', async ({
  page,
}) => {
  const email = 'editor@example.com'
  await signIn(page, email)
  for (const [index, { id, name }] of installed.entries()) {
    server.providerOf(id).user = { ...providerUser, id: '4713' }
    await providerItem(page, name)
      .getByRole('button', { name: `Link ${name}` })
      .click()
    await expect(notice(page, `${name} linked.`)).toBeVisible()
    await expect(providerItem(page, name)).toContainText('Linked')
    await linkTo(email, index + 1, server.outbox)
  }
  const link = await linkTo(email, installed.length, server.outbox)
  await page.goto(`${server.url}${link}`)
  for (const { name } of installed) {
    await expect(page.getByText(`A ${name} account was linked.`)).toBeVisible()
  }
  await page.getByRole('button', { name: 'Freeze the account' }).click()
  await page.getByLabel('Password before the changes').fill('plinth-demo-1')
  await page.getByRole('button', { name: 'Check the password' }).click()
  await page.getByLabel('New password').fill('a few words in a row')
  await page.getByRole('button', { name: 'Take back my account' }).click()
  await expect(page).toHaveURL(`${server.url}/recover/done`)
  await page.goto(`${server.url}/account/connected`)
  for (const { name } of installed)
    await expect(providerItem(page, name)).toContainText('Not linked')
})
