import type { CDPSession, Page } from '@playwright/test'
import {
  expect,
  expectEveryScreen,
  freePort,
  password,
  randomIp,
  signUp,
  startIsolatedServer,
  test,
} from 'plinth/testing/browser'

/** A passkey belongs to a host name, and not to an IP address. */
const origin = (process.env.E2E_BASE_URL ?? 'http://127.0.0.1:4100').replace(
  '127.0.0.1',
  'localhost',
)

test.use({ baseURL: origin })

test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': randomIp() }))

/** An authenticator that answers at once, as if the user had touched it. */
async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, authenticatorId }
}

async function signInAt(page: Page, email: string) {
  const data = { email, password, redirect: false }
  const response = await page.request.post(`${origin}/api/auth/signin`, { data })
  expect(response.status()).toBe(200)
}

/** A new user, signed in and with a passkey. */
async function newPasskeyUser(page: Page, name = 'Laptop') {
  const authenticator = await addAuthenticator(page)
  const email = await signUp(page.context(), 'Pia Key')
  await signInAt(page, email)
  await addPasskey(page, name)
  await expect(page.getByText('Save these recovery codes now.')).toBeVisible()
  return { email, ...authenticator }
}

/** The first one of the user. */
async function addPasskey(page: Page, name: string) {
  await page.goto('/account/security/passkeys/new')
  await page.getByRole('link', { name: 'Confirm that it is you' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.getByLabel('Name of the passkey').fill(name)
  await page.getByRole('button', { name: 'Add passkey' }).click()
}

/** On the page of a passkey. The change has to be proven first. */
async function removePasskey(page: Page) {
  const remove = async () => {
    await page.getByRole('button', { name: 'Remove passkey' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click()
  }
  await remove()
  await page.getByRole('dialog').getByRole('link', { name: 'Confirm that it is you' }).click()
  await page.getByRole('button', { name: 'Confirm with a passkey' }).click()
  await remove()
}

const passkeyRows = (page: Page) =>
  page.getByRole('table', { name: 'Passkeys' }).locator('tbody tr')

const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

async function setVerified(cdp: CDPSession, authenticatorId: string, isUserVerified: boolean) {
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
}

test('a passkey is added, listed, renamed and removed', async ({ page }) => {
  const { cdp, authenticatorId } = await newPasskeyUser(page)
  await expect(
    page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem'),
  ).toHaveCount(10)
  await page.getByRole('link', { name: 'I have saved them' }).click()
  await expect(page).toHaveURL(`${origin}/account/security?changed=factors`)
  await expect(passkeyRows(page)).toHaveText([/Laptop.*Never.*No/])
  await expectEveryScreen(page, 'passkeys')

  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible()
  await expectEveryScreen(page, 'confirm-change-passkey')
  await page.getByRole('button', { name: 'Confirm with a passkey' }).click()
  await expect(page.getByLabel('Name of the passkey')).toHaveValue('Chrome on Linux')
  await expectEveryScreen(page, 'new-passkey')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await expect(page.getByText('This device already has a passkey for your account.')).toBeVisible()

  await page.goto('/account/security')
  await page.getByRole('link', { name: 'Edit Laptop' }).click()
  await expectEveryScreen(page, 'passkey')
  await page.getByLabel('Name of the passkey').fill('Phone')
  await page.getByRole('button', { name: 'Rename passkey' }).click()
  await expect(page).toHaveURL(`${origin}/account/security`)
  await expect(passkeyRows(page)).toHaveText([/Phone/])

  await page.getByRole('link', { name: 'Edit Phone' }).click()
  await removePasskey(page)
  await expect(page).toHaveURL(`${origin}/account/security?changed=factors`)
  await expect(page.getByText('You have no passkeys.')).toBeVisible()
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials).toHaveLength(1)
})

test('the button signs in, and the passkey shows its last use', async ({ page }) => {
  const { email } = await newPasskeyUser(page)
  await page.context().clearCookies()
  await page.goto('/sign-in?callbackUrl=/account/security')
  await expectEveryScreen(page, 'sign-in-with-passkey')
  await passkeyButton(page).click()
  await expect(page).toHaveURL(`${origin}/account/security`)
  await expect(passkeyRows(page)).not.toContainText('Never')
  const session = await (await page.request.get(`${origin}/api/auth/session`)).json()
  expect(session.user.email).toBe(email)
})

test('autofill signs in once the email field is used', async ({ page }) => {
  await newPasskeyUser(page)
  await page.context().clearCookies()
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto('/sign-in')
  await expect(passkeyButton(page)).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(requests).not.toContain('/api/auth/passkeys/options')
  await page.getByLabel('Email').click()
  await expect(page).toHaveURL(`${origin}/home`)
  expect(requests).toContain('/api/auth/passkeys/options')
})

/** Returns where the browser is sent. */
async function signInWithPassword(page: Page, email: string): Promise<string> {
  const data = { email, password, callbackUrl: '/account/security' }
  const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }
  const posted = { form: data, headers, maxRedirects: 0 }
  const response = await page.request.post(`${origin}/api/auth/signin`, posted)
  return response.headers().location ?? ''
}

test('a passkey completes a sign-in with a password, and the browser is remembered', async ({
  page,
}) => {
  const { email, cdp, authenticatorId } = await newPasskeyUser(page)
  await page.context().clearCookies()
  await page.goto(await signInWithPassword(page, email))
  await expect(page.getByRole('heading', { name: 'Confirm your sign-in' })).toBeVisible()
  await expectEveryScreen(page, 'verify-with-passkey')
  const remember = page.getByLabel('Do not ask again in this browser for 30 days')
  await expect(remember).not.toBeChecked()
  await remember.check()
  await setVerified(cdp, authenticatorId, false)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('No passkey was chosen, or it took too long.')).toBeVisible()
  await expect(remember).toBeChecked()
  await setVerified(cdp, authenticatorId, true)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(`${origin}/account/security`)
  await expect(passkeyRows(page)).toHaveCount(1)

  await page.request.post(`${origin}/api/auth/signout`)
  expect(await signInWithPassword(page, email)).toBe('/account/security')
})

test('a passkey confirms who the user is', async ({ page }) => {
  await newPasskeyUser(page)
  const before = await sessionCookie(page)
  await page.goto('/confirm?callbackUrl=/account/security')
  await page.getByRole('link', { name: 'Confirm with a passkey' }).click()
  await expectEveryScreen(page, 'confirm-with-passkey')
  await page.getByRole('button', { name: 'Confirm with a passkey' }).click()
  await expect(page).toHaveURL(`${origin}/account/security`)
  expect(await sessionCookie(page)).not.toBe(before)
})

async function sessionCookie(page: Page) {
  const cookies = await page.context().cookies(origin)
  return cookies.find(({ name }) => name.endsWith('session-token'))?.value
}

test.describe('is refused:', () => {
  // The browser prints refused requests.
  test.use({ allowedErrors: /status of 401/ })

  test('a replayed challenge', async ({ page }) => {
    await newPasskeyUser(page)
    await page.context().clearCookies()
    await page.goto('/sign-in')
    const sent = page.waitForRequest('**/api/auth/passkeys/verify')
    await passkeyButton(page).click()
    const data = (await sent).postDataJSON()
    await expect(page).toHaveURL(`${origin}/home`)
    await page.context().clearCookies()
    const replayed = await page.request.post(`${origin}/api/auth/passkeys/verify`, { data })
    expect(replayed.status()).toBe(401)
    expect(await replayed.json()).toMatchObject({ code: 'invalid_passkey' })
    expect(await sessionCookie(page)).toBeUndefined()
  })

  test('a removed passkey', async ({ page }) => {
    await newPasskeyUser(page)
    await page.goto('/account/security')
    await page.getByRole('link', { name: 'Edit Laptop' }).click()
    await removePasskey(page)
    await expect(page.getByText('You have no passkeys.')).toBeVisible()
    await page.context().clearCookies()
    await page.goto('/sign-in')
    await passkeyButton(page).click()
    await expect(page.getByText('This passkey was not accepted. Try another way.')).toBeVisible()
    expect(await sessionCookie(page)).toBeUndefined()
  })

  test('another RP', async ({ page }) => {
    await newPasskeyUser(page)
    await page.context().clearCookies()
    await page.route('**/api/auth/passkeys/options', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), rpId: 'example.com' } })
    })
    await page.goto('/sign-in')
    await passkeyButton(page).click()
    await expect(page.getByText('Passkeys do not work at this address.')).toBeVisible()
    expect(await sessionCookie(page)).toBeUndefined()
  })

  test('a user whom the authenticator has not verified', async ({ page }) => {
    const { cdp, authenticatorId } = await newPasskeyUser(page)
    await page.context().clearCookies()
    await setVerified(cdp, authenticatorId, false)
    await page.goto('/sign-in')
    await passkeyButton(page).click()
    await expect(page.getByText('No passkey was chosen, or it took too long.')).toBeVisible()
    await expect(passkeyButton(page)).toHaveAttribute('type', 'submit')
    expect(await sessionCookie(page)).toBeUndefined()
    await setVerified(cdp, authenticatorId, true)
    await passkeyButton(page).click()
    await expect(page).toHaveURL(`${origin}/home`)
  })
})

test('at an IP address there is no button, and the account page says where passkeys work', async ({
  page,
}) => {
  const address = origin.replace('localhost', '127.0.0.1')
  await page.goto(`${address}/sign-in`)
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(passkeyButton(page)).toHaveCount(0)
  await signUp(page.context(), 'Pia Key')
  await page.goto(`${address}/account/security/passkeys/new`)
  await expect(page.getByText(`Passkeys work at ${origin} only.`)).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('no button is shown, and the page to add one says why', async ({ page }) => {
    await page.goto('/sign-in')
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
    await expect(page.getByText('Sign in with a passkey')).toBeHidden()
    const email = await signUp(page.context(), 'Pia Key')
    await signInAt(page, email)
    await page.goto('/account/security/passkeys/new')
    await expect(page.locator('noscript p')).toHaveText('Passkeys need JavaScript.')
  })
})

test('a user who needs a second factor sets up a passkey at sign-in', async ({ page }) => {
  test.setTimeout(120_000)
  const port = await freePort()
  const server = await startIsolatedServer(port, { SECOND_FACTOR: 'everyone' })
  const url = `http://localhost:${port}`
  try {
    await addAuthenticator(page)
    await page.goto(`${url}/sign-in?callbackUrl=/account/security`)
    await page.getByLabel('Email').fill('viewer@example.com')
    await page.getByLabel('Password', { exact: true }).fill('plinth-demo-1')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Use a passkey instead' }).click()
    await expectEveryScreen(page, 'enroll-passkey')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await expect(page.getByText('Save these recovery codes now.')).toBeVisible()
    await page.getByRole('link', { name: 'I have saved them' }).click()
    await expect(page).toHaveURL(`${url}/account/security`)
    await expect(passkeyRows(page)).toHaveText([/Chrome on Linux/])
  } finally {
    await server.stop()
  }
})
