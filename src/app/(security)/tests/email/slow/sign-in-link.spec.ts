import type { Page } from '@playwright/test'
import {
  anotherBrowser,
  expect,
  expectEveryScreen,
  freePort,
  linkTo,
  messagesTo,
  randomIp,
  signUp,
  startIsolatedServer,
  test,
} from 'plinth/testing/browser'

// The server of the browser tests has SIGN_IN_LINK=on.
test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': randomIp() }))

/** A user who has signed up and then lost the cookies. */
async function signedOutUser(page: Page): Promise<string> {
  const email = await signUp(page.context(), 'Lin Key')
  await page.context().clearCookies()
  return email
}

async function requestLink(page: Page, email: string) {
  await page.goto('/sign-in?callbackUrl=%2Faccount%2Femail')
  await page.getByRole('link', { name: 'Email me a sign-in link' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in by email' })).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await expect(page.getByText(`We sent an email to ${email}.`)).toBeVisible()
}

async function codeTo(email: string, count: number): Promise<string> {
  const newest = (await messagesTo(email, count)).at(-1)
  return /(?<![\w-])[0-9A-Z]{4}-[0-9A-Z]{4}(?![\w-])/.exec(newest?.text ?? '')?.[0] ?? ''
}

const code = (page: Page) => page.getByLabel('Code')
const signIn = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true })

/** The field is empty again once the code was checked; the message may be that of an earlier code. */
async function expectRefused(page: Page): Promise<void> {
  await expect(code(page)).toHaveValue('')
  await expect(code(page)).toHaveAccessibleDescription(/incorrect or no longer works/)
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('signs in with the code of a mail that is read on another device', async ({ page }) => {
      const email = await signedOutUser(page)
      await requestLink(page, email)
      await code(page).fill('AAAA-AAAA')
      await signIn(page).click()
      await expectRefused(page)
      await expect(page.getByText(`We sent an email to ${email}.`)).toBeVisible()

      const first = await codeTo(email, 2)
      await page.getByRole('button', { name: 'Send again' }).click()
      await expect(page.getByText('Email sent again.').first()).toBeVisible()
      const second = await codeTo(email, 3)
      await code(page).fill(first)
      await signIn(page).click()
      await expectRefused(page)
      await code(page).fill(second.toLowerCase())
      await signIn(page).click()
      await expect(page).toHaveURL('/account/email')
    })

    test('signs in with the link, after a click', async ({ page }) => {
      const email = await signedOutUser(page)
      await requestLink(page, email)
      const link = await linkTo(email, 2)
      const sent = await codeTo(email, 2)
      const phone = await anotherBrowser(page, { javaScriptEnabled })
      const opened = await phone.newPage()
      // A scanner opens it first.
      await phone.request.get(link)
      await opened.goto(link)
      await expect(opened.getByText(email)).toBeVisible()
      await signIn(opened).click()
      await expect(opened).toHaveURL('/account/email')
      await opened.goto(link)
      await expect(opened.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
      await phone.close()
      await code(page).fill(sent)
      await signIn(page).click()
      await expectRefused(page)
    })
  })
}

test('says the same for an email without an account', async ({ page }) => {
  const email = `${crypto.randomUUID().slice(0, 8)}@example.com`
  await requestLink(page, email)
  await code(page).fill('AAAA-AAAA')
  await signIn(page).click()
  await expectRefused(page)
  await messagesTo(email, 0)
})

test('each page is accessible on every screen', async ({ page }) => {
  const email = await signedOutUser(page)
  await page.goto('/sign-in/link')
  await expectEveryScreen(page, 'security-sign-in-link')
  await requestLink(page, email)
  await expectEveryScreen(page, 'security-sign-in-code')
  await page.goto(await linkTo(email, 2))
  await expectEveryScreen(page, 'security-sign-in-confirm')
})

test('with SIGN_IN_LINK=off there is no option and no page', async ({ request }) => {
  const server = await startIsolatedServer(await freePort(), { SIGN_IN_LINK: 'off' })
  const html = await (await request.get(`${server.url}/sign-in`)).text()
  expect(html).toContain('Forgot your password?')
  expect(html).not.toContain('Email me a sign-in link')
  for (const path of ['/sign-in/link', '/sign-in/link/code', '/sign-in/link/confirm']) {
    expect((await request.get(server.url + path)).status(), path).toBe(404)
  }
  await server.stop()
})
