import { expectEveryLook } from './support/looks'
import { expect, test } from './support/test'

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('a person signs in, sees who they are, and signs out', async ({ page, context }) => {
      await page.goto('/sign-in?callbackUrl=%2Fsign-in')
      await page.getByLabel('E-mail').fill('editor@example.com')
      await page.getByLabel('Password').fill('plinth-demo-1')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
      await expect(page.getByRole('main').getByText('editor@example.com')).toBeVisible()
      const [cookie] = await context.cookies()
      expect(cookie).toMatchObject({
        name: 'authjs.session-token',
        httpOnly: true,
        sameSite: 'Lax',
      })

      await page.getByRole('button', { name: 'Sign out' }).click()
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
      expect(await context.cookies()).toEqual([])
    })

    test('a wrong password is told, the address stays, the password does not', async ({ page }) => {
      await page.goto('/sign-in?callbackUrl=%2Fstart')
      await page.getByLabel('E-mail').fill('editor@example.com')
      await page.getByLabel('Password').fill('not the password')
      await page.getByRole('button', { name: 'Sign in' }).click()
      // Next has an alert of its own, which announces new pages.
      const alert = page.getByRole('alert').filter({ hasText: 'password' })
      await expect(alert).toHaveText('The e-mail address or the password is wrong.')
      await expect(page.getByLabel('E-mail')).toHaveValue('editor@example.com')
      await expect(page.getByLabel('Password')).toHaveValue('')
      expect(page.url()).not.toContain('editor')

      await page.getByLabel('Password').fill('plinth-demo-1')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page).toHaveURL(/\/start$/)
    })
  })
}

test('the form is accessible at every look', async ({ page }) => {
  await page.goto('/sign-in?error=invalid_credentials')
  await expectEveryLook(page, 'sign-in')
})

test('an error code that does not exist says nothing', async ({ page }) => {
  await page.goto('/sign-in?error=%3Cscript%3E&error=constructor')
  await expect(page.getByText('script')).toHaveCount(0)
  await page.goto('/sign-in?error=constructor')
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
})
