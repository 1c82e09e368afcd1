import type { Page } from '@playwright/test'
import {
  anotherBuildErrors,
  answerFromAnotherBuild,
  expect,
  expectAccessible,
  sendToAnotherBuild,
  signIn,
  test,
} from 'plinth/testing/browser'

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text' })
const tab = (page: Page, name: string) => page.getByRole('tab', { name })

async function openEditor(page: Page) {
  await page.goto('/articles/new')
  await expect(tab(page, 'Write')).toHaveAttribute('aria-selected', 'true')
}

const drafts = (page: Page) => page.evaluate(() => Object.values(localStorage).join(''))

test.beforeEach(({ page }) => signIn(page.context(), 'editor@example.com'))

test('formats, previews and saves with the keyboard', async ({ page }) => {
  await openEditor(page)
  const text = textOf(page)
  await text.fill('plain')
  await text.selectText()
  await page.keyboard.press('Control+b')
  await expect(text).toHaveValue('**plain**')
  await page.keyboard.press('Control+z')
  await expect(text).toHaveValue('plain')
  await text.selectText()
  await page.keyboard.press('Control+k')
  await expect(text).toHaveValue('[plain](https://)')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await text.selectText()
  const toolbar = page.getByRole('toolbar', { name: 'Formatting' })
  await toolbar.getByRole('button', { name: 'Bold' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(text).toHaveValue('_plain_')
  await expect(text).toBeFocused()
  await expect(page.getByText('7 characters')).toBeVisible()

  await tab(page, 'Write').focus()
  await page.keyboard.press('ArrowRight')
  const preview = page.getByRole('tabpanel', { name: 'Preview' })
  await expect(preview.locator('em')).toHaveText('plain')
  await expect(text).toBeHidden()
  await expectAccessible(page)

  // The field with the error is shown and focused, whatever tab is selected.
  await tab(page, 'Write').click()
  await text.fill('x'.repeat(50_001))
  await expect(page.getByText('50,001 of 50,000 characters')).toBeVisible()
  await page.getByLabel('Title').fill('Written with the keyboard')
  await tab(page, 'Preview').click()
  await page.keyboard.press('Control+s')
  await expect(text).toBeFocused()
  await expect(text).toHaveAccessibleDescription(/Use at most 50,000 characters\./)
  await expectAccessible(page)
  await text.fill('short')
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/\/articles\/[\w-]{36}$/)
  await expect.poll(() => drafts(page)).toBe('')
})

test('asks before unsaved text is left, and restores it', async ({ page }) => {
  await openEditor(page)
  const text = textOf(page)
  await page.getByLabel('Title').fill('Unsaved')
  await text.click()
  await page.keyboard.type('A long thought')
  const asked: string[] = []
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type())
    if (asked.length < 3) await dialog.dismiss()
    else await dialog.accept()
  })
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect.poll(() => asked).toHaveLength(1)
  // A client navigation, which has no `beforeunload`.
  const navigated = await page.evaluate(() =>
    document.dispatchEvent(new CustomEvent('plinth:navigate', { cancelable: true })),
  )
  expect([navigated, asked[1]]).toEqual([false, 'confirm'])
  await expect(text).toHaveValue('A long thought')
  await expect.poll(() => drafts(page)).toContain('A long thought')

  await page.reload()
  expect(asked[2]).toBe('beforeunload')
  await page.goto('/articles')
  await openEditor(page)
  await expect(page.getByText(/Restored your unsaved text from \d/)).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Unsaved')
  await expect(text).toHaveValue('A long thought')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(text).toHaveValue('')
  await expect(page.getByLabel('Title')).toHaveValue('')
  expect(await drafts(page)).toBe('')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/articles$/)
  expect(asked).toHaveLength(3)
})

test('restored text does not replace what another user saved meanwhile', async ({ page }) => {
  await openEditor(page)
  await page.getByLabel('Title').fill('Edited twice')
  await textOf(page).fill('first')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page).toHaveURL(/\/articles\/[\w-]{36}$/)
  const path = `${new URL(page.url()).pathname}/edit`
  await page.goto(path)
  await expect(tab(page, 'Write')).toBeVisible()
  await textOf(page).fill('mine')
  await expect.poll(() => drafts(page)).toContain('mine')

  const other = await page
    .context()
    .browser()
    ?.newContext({ baseURL: new URL(page.url()).origin })
  if (!other) throw new Error('No browser.')
  await signIn(other, 'admin@example.com')
  const theirs = await other.newPage()
  await theirs.goto(path)
  await textOf(theirs).fill('theirs')
  await theirs.getByRole('button', { name: 'Save changes' }).click()
  await expect(theirs.getByText('theirs', { exact: true })).toBeVisible()
  await other.close()

  page.on('dialog', (dialog) => dialog.accept())
  await page.goto('/articles')
  await page.goto(path)
  await expect(textOf(page)).toHaveValue('mine')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Another user saved this article')).toBeVisible()
  await expectAccessible(page)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('previews a text without saving it', async ({ page }) => {
    await page.goto('/articles/new')
    await page.getByLabel('Title').fill('Not saved')
    await page.getByLabel('Text').fill('*emphasis*')
    await page.getByRole('button', { name: 'Preview' }).click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect(preview.locator('em')).toHaveText('emphasis')
    await expect(page.getByLabel('Title')).toHaveValue('Not saved')
    await expect(page.getByLabel('Text')).toHaveValue('*emphasis*')
    await page.goto('/articles?query=Not+saved')
    await expect(page.getByText('No articles match your search.')).toBeVisible()
  })
})

test.describe('after an update of the app', () => {
  test.use({ allowedErrors: anotherBuildErrors })

  test('an article that was not saved is in the editor again', async ({ page }) => {
    await openEditor(page)
    await page.getByLabel('Title').fill('Written before the update')
    await textOf(page).fill('Typed before the update')
    await sendToAnotherBuild(page)
    await page.getByRole('button', { name: 'Save draft' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'The app was updated.' })
    await expect(alert).toBeVisible({ timeout: 15_000 })
    await expect(page.getByLabel('Title')).toHaveValue('Written before the update')
    await expect(textOf(page)).toHaveValue('Typed before the update')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page).toHaveURL(/\/articles\/[\w-]{36}$/)
    expect(await drafts(page)).toBe('')
  })
  test('an article that was saved is not in the next editor', async ({ page }) => {
    await openEditor(page)
    await page.getByLabel('Title').fill('Saved by the new version')
    await textOf(page).fill('Saved once')
    await expect.poll(() => drafts(page)).toContain('Saved once')
    await answerFromAnotherBuild(page)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByRole('heading', { name: 'Saved by the new version' })).toBeVisible()
    expect(await drafts(page)).toBe('')
    const [load] = await page.evaluate(() => performance.getEntriesByType('navigation'))
    expect(load?.name).toMatch(/\/articles\/[\w-]{36}$/)
  })
})
