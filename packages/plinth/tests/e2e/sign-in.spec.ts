import { expect, expectEveryScreen, test } from 'plinth/testing/browser'

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('signs in, shows the user and signs out', async ({ page, context }) => {
      await page.goto('/sign-in?callbackUrl=%2Fsign-in')
      await page.getByLabel('Email').fill('editor@example.com')
      await page.getByLabel('Password').fill('plinth-demo-1')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
      await expect(page.getByRole('main').getByText('editor@example.com')).toBeVisible()
      const sent = { httpOnly: true, sameSite: 'Lax' }
      expect(await context.cookies()).toMatchObject([
        { name: 'authjs.session-token', ...sent },
        { name: 'plinth.device', ...sent },
      ])

      await page.getByRole('button', { name: 'Sign out' }).click()
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
      // The device stays known, so that guesses from elsewhere do not lock it out.
      expect(await context.cookies()).toMatchObject([{ name: 'plinth.device' }])
    })

    test('a wrong password shows an error and keeps the email but not the password', async ({
      page,
    }) => {
      await page.goto('/sign-in?callbackUrl=%2Fstart')
      await page.getByLabel('Email').fill('editor@example.com')
      await page.getByLabel('Password').fill('not the password')
      await page.getByRole('button', { name: 'Sign in' }).click()
      // Next has its own alert, which announces page changes.
      const alert = page.getByRole('alert').filter({ hasText: 'password' })
      await expect(alert).toHaveText('The email or password is incorrect.')
      await expect(page.getByLabel('Email')).toHaveValue('editor@example.com')
      await expect(page.getByLabel('Password')).toHaveValue('')
      expect(page.url()).not.toContain('editor')

      await page.getByLabel('Password').fill('plinth-demo-1')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page).toHaveURL(/\/start$/)
    })
  })
}

test('the form is accessible on every screen', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/sign-in?error=invalid_credentials')
  await expectEveryScreen(page, 'sign-in')
})

test('ignores an unknown error code', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/sign-in?error=%3Cscript%3E&error=constructor')
  await expect(page.getByText('script')).toHaveCount(0)
  await page.goto('/sign-in?error=constructor')
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
})
