import {
  anotherBrowser,
  expect,
  expectEveryScreen,
  expectNoHorizontalScroll,
  setScreen,
  test,
} from 'plinth/testing/browser'

test('signs in where an operation needs a session, then tries it', async ({ page }) => {
  await page.goto('/api/docs')
  const operation = page.locator('article', { has: page.locator('[data-session="true"]') }).first()
  test.skip((await operation.count()) === 0, 'no module has such an operation')
  await operation.getByText('Try it', { exact: true }).click()
  await expect(operation.getByRole('button', { name: 'Send request' })).toBeHidden()
  await operation.getByLabel('Email').fill('viewer@example.com')
  await operation.getByLabel('Password').fill('plinth-demo-1')
  await operation.getByRole('button', { name: 'Sign in' }).click()

  await expect(page.getByRole('banner')).toContainText('viewer@example.com')
  await operation.getByRole('button', { name: 'Send request' }).click()
  await expect(operation.locator('[data-response]')).toContainText('x-request-id')
  await expect(operation.locator('[data-response]')).not.toContainText('401')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('link', { name: 'Sign in', exact: true })).toBeFocused()
  await expect(operation.getByLabel('Email')).toBeVisible()
})

// The rejected request.
test.use({ allowedErrors: /status of 422/ })

test('sends a request that changes data only after a second click', async ({ page }) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  await page.goto('/api/docs')
  const signIn = page.locator('#operation-sign_in')
  await signIn.getByText('Try it', { exact: true }).click()
  await signIn.getByRole('button', { name: 'Send request' }).click()
  const confirm = signIn.getByRole('button', { name: 'Changes data. Send anyway' })
  await expect(confirm).toBeVisible()
  // Only the request that was confirmed is sent.
  await signIn.getByLabel('Body').fill('{"email":"<img src=x>","password":1}')
  await expect(confirm).toBeHidden()
  expect(sent).toEqual([])

  await signIn.getByRole('button', { name: 'Send request' }).click()
  await confirm.click()
  await expect(signIn.locator('[data-response]')).toContainText('422')
  await expect(signIn.locator('[data-response] img')).toHaveCount(0)
  expect(sent).toEqual(['/api/auth/signin'])
})

test('fits every screen, filters operations and copies commands', async ({ page }) => {
  await setScreen(page, 320, 'light')
  await page.goto('/api/docs')
  await expectNoHorizontalScroll(page)
  const filter = page.getByLabel('Filter operations')
  // All operations have the same parts, and axe takes long for all of them.
  await filter.fill('post signin')
  await page.getByRole('article').first().getByText('Try it', { exact: true }).click()
  await expectEveryScreen(page, 'api-reference')

  await setScreen(page, 320, 'light')
  await filter.fill('LIVENESS get')
  await expect(page.getByText('1 operation matches.')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'Liveness check' })).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('article').getByRole('button', { name: 'Copy' }).first().click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/^curl http.*\/api\/health\/live$/)

  await page.getByText('Operations', { exact: true }).click()
  await page.getByRole('link', { name: 'Liveness check' }).first().click()
  await expect(page).toHaveURL(/#operation-health_live$/)
})

test('is readable without JavaScript', async ({ page }) => {
  const context = await anotherBrowser(page, { javaScriptEnabled: false })
  const plain = await context.newPage()
  await plain.goto('/api/docs')
  await expect(plain.locator('noscript p')).toBeVisible()
  await expect(plain.getByRole('heading', { name: 'Get the current session' })).toBeVisible()
  await expect(plain.getByRole('button', { name: 'Copy' })).toHaveCount(0)
  await expect(plain.getByText('Try it')).toHaveCount(await plain.getByRole('article').count())
  await expect(plain.getByText('Try it').first()).toBeHidden()
  await context.close()
})
