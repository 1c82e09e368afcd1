import type { Page } from '@playwright/test'
import {
  expect,
  expectEveryScreen,
  lostConnectionErrors,
  offline,
  signIn,
  test,
} from 'plinth/testing/browser'

test.use({ allowedErrors: lostConnectionErrors })

const alert = (page: Page) => page.getByRole('alert').locator('p')
const retry = (page: Page) => page.getByRole('button', { name: 'Try again' })

async function openEditor(page: Page, title: string) {
  await page.goto('/articles/new')
  await expect(page.getByRole('tab', { name: 'Write' })).toBeVisible()
  await page.getByLabel('Title').fill(title)
  await page.getByRole('textbox', { name: 'Text' }).fill('A long thought')
}

test('an article that is saved offline stays in the editor, and is saved once', async ({
  page,
}) => {
  await signIn(page.context(), 'editor@example.com')
  const title = `Offline ${crypto.randomUUID()}`
  await openEditor(page, title)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(alert(page)).toHaveText(offline)
  await expect(page.getByLabel('Title')).toHaveValue(title)
  await expect(page.getByRole('textbox', { name: 'Text' })).toHaveValue('A long thought')
  await expectEveryScreen(page, 'article-offline')

  // It still asks before the text is lost.
  const asked: string[] = []
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type())
    await dialog.dismiss()
  })
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect.poll(() => asked).toEqual(['confirm'])

  await page.context().setOffline(false)
  await retry(page).click()
  await expect(page).toHaveURL(/\/articles\/[\w-]{36}$/)
  await page.goto(`/articles?query=${encodeURIComponent(title)}`)
  await expect(page.getByRole('link', { name: title })).toHaveCount(1)
})

test('buttons, undo and a confirmation work again after they were used offline', async ({
  page,
}) => {
  await signIn(page.context(), 'admin@example.com')
  const title = `Offline ${crypto.randomUUID()}`
  await openEditor(page, title)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page).toHaveURL(/\/articles\/[\w-]{36}$/)

  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(alert(page)).toHaveText(offline)
  await page.context().setOffline(false)
  await retry(page).click()
  const undo = page.getByRole('button', { name: 'Undo' }).filter({ visible: true })
  await page.getByRole('button', { name: 'Unpublish' }).click()
  await expect(page.getByText('Draft', { exact: true })).toBeVisible()

  // Its code is loaded after the page, too.
  await expect(undo).toBeVisible()
  await page.context().setOffline(true)
  await undo.click()
  await expect(page.locator('.toast').getByRole('alert')).toHaveText(offline)
  await page.context().setOffline(false)
  await undo.click()
  await expect(page.getByRole('button', { name: 'Unpublish' })).toBeVisible()

  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  // Its code is loaded when it is opened.
  await expect(dialog).toBeVisible()
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: 'Delete article' }).click()
  await expect(dialog.getByRole('alert').locator('p')).toHaveText(offline)
  await expectEveryScreen(page, 'confirmation-offline')
  await page.context().setOffline(false)
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(page).toHaveURL(/\/articles$/)
  await expect(page.getByRole('link', { name: title })).toHaveCount(0)
})
