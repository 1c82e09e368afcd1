import type { Page } from '@playwright/test'
import {
  expect,
  expectEveryScreen,
  nightly,
  signIn as signInAt,
  test,
} from 'plinth/testing/browser'

async function signIn(page: Page, role: 'viewer' | 'editor' | 'admin') {
  await page.context().clearCookies()
  await signInAt(page.context(), `${role}@example.com`)
}

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text' })

/** If the page becomes interactive just then, the text is inserted instead of replaced. */
async function fillText(page: Page, text: string) {
  await expect(async () => {
    await textOf(page).fill(text)
    await expect(textOf(page)).toHaveValue(text, { timeout: 1_000 })
  }).toPass()
}

const message = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text, visible: true }).first()

async function writeArticle(page: Page, title: string, text: string) {
  await page.goto('/articles/new')
  await page.getByLabel('Title').fill(title)
  await textOf(page).fill(text)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(message(page, `Draft “${title}” saved.`)).toBeVisible()
}

const unique = (title: string) => `${title} ${crypto.randomUUID().slice(0, 8)}`

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('an editor writes and publishes, a viewer reads, an admin deletes', async ({ page }) => {
      const title = unique('On plinths')
      await signIn(page, 'editor')
      await writeArticle(page, title, 'They **carry** things.\n\n<script>alert(1)</script>')
      const path = new URL(page.url()).pathname
      await expect(page.getByText('Draft', { exact: true })).toBeVisible()

      await page.getByRole('button', { name: 'Publish' }).click()
      await expect(message(page, `“${title}” published.`)).toBeVisible()
      await page.getByRole('button', { name: 'Unpublish' }).click()
      await expect(page.getByText('Draft', { exact: true })).toBeVisible()
      await page.getByRole('button', { name: 'Undo' }).filter({ visible: true }).click()
      await expect(page.getByRole('button', { name: 'Unpublish' })).toBeVisible()

      await signIn(page, 'viewer')
      await page.goto(path)
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
      await expect(page).toHaveTitle(new RegExp(`^${title}`))
      await expect(page.locator('strong')).toHaveText('carry')
      await expect(page.getByText('<script>alert(1)</script>')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Edit' })).toHaveCount(0)

      await signIn(page, 'admin')
      await page.goto(path)
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Delete article' }).click()
      await expect(page).toHaveURL(/\/articles$/)
      await expect(page.getByRole('link', { name: title })).toHaveCount(0)
    })

    // Every form works without JavaScript in the same way. One of them stands for all until night.
    if (!javaScriptEnabled && !nightly) return

    test('keeps the typed text after a validation error', async ({ page }) => {
      await signIn(page, 'editor')
      await page.goto('/articles/new')
      await page.getByLabel('Title').fill('   ')
      await textOf(page).fill('A long thought')
      await page.getByRole('button', { name: 'Save draft' }).click()
      await expect(page.getByText('Enter a title.')).toBeVisible()
      await expect(page.getByLabel('Title')).toBeFocused()
      await expect(textOf(page)).toHaveValue('A long thought')
    })

    test('shows both versions after a conflicting save', async ({ page, browser }) => {
      const title = unique('Conflict')
      await signIn(page, 'editor')
      await writeArticle(page, title, 'the first text')
      await page.goto(`${new URL(page.url()).pathname}/edit`)
      await fillText(page, 'the text of mine')

      const { baseURL } = test.info().project.use
      const context = await browser.newContext({ javaScriptEnabled, baseURL: baseURL ?? '' })
      const other = await context.newPage()
      await signIn(other, 'admin')
      await other.goto(new URL(page.url()).pathname)
      await fillText(other, 'the other text')
      await other.getByRole('button', { name: 'Save changes' }).click()
      await expect(message(other, `Changes to “${title}” saved.`)).toBeVisible()
      await context.close()

      await page.getByRole('button', { name: 'Save changes' }).click()
      await expect(page.getByText('Another user saved this article')).toBeVisible()
      await expect(textOf(page)).toHaveValue('the text of mine')
      const differences = page.getByRole('region', { name: 'Differences in the text' })
      await expect(differences.locator('del')).toContainText('other ')
      await expect(differences.locator('ins')).toContainText(' of mine')
      await page.getByText('View the saved version').click()
      await expect(page.getByText('the other text', { exact: true })).toBeVisible()
      await textOf(page).fill('theirs and mine')
      await page.getByRole('button', { name: 'Replace with my version' }).click()
      await expect(page.getByText('theirs and mine')).toBeVisible()
    })
  })
}

test('rejects a text that is too complex next to its field and keeps it', { tag: '@slow' }, async ({
  page,
}) => {
  const text = '!['.repeat(25_000)
  await signIn(page, 'editor')
  await page.goto('/articles/new')
  await page.getByLabel('Title').fill('Attack')
  await textOf(page).fill(text)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByText('This text is too complex to display.')).toBeVisible()
  await expect(textOf(page)).toHaveValue(text)
})

test('keeps text that is typed before the scripts are loaded', { tag: '@slow' }, async ({
  page,
}) => {
  await signIn(page, 'editor')
  await writeArticle(page, unique('Slow network'), '\nfirst')
  const path = `${new URL(page.url()).pathname}/edit`
  let loadScripts = () => {}
  const released = new Promise<void>((resolve) => {
    loadScripts = resolve
  })
  await page.route('**/_next/static/**/*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  const text = textOf(page)
  await expect(text).toHaveValue('\nfirst')
  await text.fill('typed early')
  await page.getByLabel('Title').fill('Typed early')
  loadScripts()
  await expect
    .poll(() => text.evaluate((node) => Object.keys(node).some((key) => key.startsWith('__react'))))
    .toBe(true)
  await expect(text).toHaveValue('typed early')
  await expect(page.getByLabel('Title')).toHaveValue('Typed early')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { name: 'Typed early' })).toBeVisible()
  await expect(page.getByText('typed early', { exact: true })).toBeVisible()
})

test('the navigation shows articles to signed-in users only', async ({ page }) => {
  await page.goto('/sign-in')
  const link = page.getByRole('navigation').getByRole('link', { name: 'Articles' })
  await expect(link).toHaveCount(0)
  await signIn(page, 'viewer')
  await page.goto('/sign-in')
  await expect(link).toBeVisible()
})

test('returns 403 with a message if the role does not allow the page', async ({ page }) => {
  await signIn(page, 'viewer')
  const response = await page.request.get('/articles/new')
  expect(response.status()).toBe(403)
  expect(await response.text()).toContain('You do not have access to this page.')
})

const manyBlocks = `# Load

It **spreads** what stands on it over the ground[^1]. [More](https://example.com/more)

- [x] wide below
- [ ] narrow above

| Material | Density in kilograms per cubic meter | Strength | Remarks | Price |
|----------|-------------------------------------:|:--------:|---------|-------|
| Granite  | 2,700 | 200 MPa | Available in many colors | High |

\`\`\`
npm start ${'and a long line '.repeat(20)}
\`\`\`

![A drawing](https://example.com/x.png)

> Nothing is added that does not carry.

שלום עולם

[^1]: Within its footprint.`

/** At the last width, then on a phone and on paper. */
async function expectReadable(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(page.getByText('שלום עולם')).toHaveCSS('direction', 'rtl')
  await page.setViewportSize({ width: 390, height: 844 })
  const table = page.getByRole('region', { name: 'Table 1' })
  const scrolled = async () => (await table.evaluate((frame) => frame.scrollLeft)) > 0
  await table.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(scrolled).toBe(true)
  // Not one letter per line.
  const { width = 0 } = (await page.getByText('Granite').boundingBox()) ?? {}
  expect(width).toBeGreaterThan(60)

  await page.emulateMedia({ media: 'print' })
  for (const selector of ['header', 'footer', 'nav', 'button', 'a.button']) {
    await expect(page.locator(selector).filter({ visible: true })).toHaveCount(0)
  }
  const code = page.locator('pre')
  expect(await code.evaluate((pre) => pre.scrollWidth - pre.clientWidth)).toBe(0)
  const after = await page
    .getByRole('link', { name: 'More' })
    .evaluate((link) => getComputedStyle(link, '::after').content)
  expect(after).toContain('https://example.com/more')
  await page.emulateMedia({ media: null })
}

test('the pages render on every screen', { tag: '@slow' }, async ({ page }) => {
  await signIn(page, 'admin')
  await writeArticle(page, unique('How a plinth carries load'), manyBlocks)
  await expectEveryScreen(page, 'article')
  await expectReadable(page)
  await page.goto(`${new URL(page.url()).pathname}/edit`)
  await expectEveryScreen(page, 'article-edit')
  await page.goto('/articles')
  await expectEveryScreen(page, 'articles')
})
