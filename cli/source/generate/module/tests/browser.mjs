import { indefinite } from '../../names.mjs'

export function browserTestSource(model) {
  const { many, one, path, fields, title, shared, searchable } = model
  const filled = fields.map((field) => fill(field, field === title))
  const titled = title.type === 'string'
  const name = titled ? 'unique()' : JSON.stringify(browserSample(title))
  const other = JSON.stringify(browserSample(title, 1))
  const needed = fields.find(
    (field) => !field.optional && ['string', 'url', 'email'].includes(field.type),
  )
  return `import type { Page } from '@playwright/test'
import { expect, expectEveryScreen, signIn, test } from 'plinth/testing/browser'

${titled ? uniqueTitle : ''}
/** Finds a field by its whole label, which says if the field is optional. */
function field(page: Page, label: string) {
  return page.getByRole('main').getByLabel(new RegExp(\`^\${label}( ?optional)?$\`))
}

async function fillForm(page: Page, title: string) {
${filled.join('\n')}
}

async function create${one.pascal}(page: Page, title: string) {
  await page.goto('${path}/new')
  await fillForm(page, title)
  await page.getByRole('button', { name: 'Create ${one.text}' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'created.' })).toBeVisible()
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('creates, edits, finds and deletes ${indefinite(one.text)}', async ({ page }) => {
      await signIn(page.context(), '${shared ? 'admin' : 'viewer'}@example.com')
      await create${one.pascal}(page, ${name})
      const url = page.url()
      await page.getByRole('link', { name: 'Edit' }).click()
      const changed = ${titled ? 'unique()' : other}
      await field(page, '${title.label}').${title.type === 'enum' ? 'selectOption' : 'fill'}(changed)
      await page.getByRole('button', { name: 'Save changes' }).click()
      await expect(page.getByRole('status').filter({ hasText: 'saved.' })).toBeVisible()

${
  searchable.includes(title)
    ? `      await page.goto('${path}')
      await page.getByLabel('Search').fill(changed)
      await page.getByRole('main').getByRole('button', { name: 'Search' }).click()
      await expect(page.getByRole('main').getByRole('link', { name: changed })).toBeVisible()
      await page.getByLabel('Search').fill('no such ${one.text}')
      await page.getByRole('main').getByRole('button', { name: 'Search' }).click()
      await expect(page.getByText('No ${many.text} match your search.')).toBeVisible()

`
    : ''
}      await page.goto(url)
      await page.getByRole('button', { name: 'Delete' }).first().click()
      await page.getByRole('button', { name: 'Delete ${one.text}' }).click()
      await expect(page.getByRole('status').filter({ hasText: 'deleted.' })).toBeVisible()
      const response = await page.request.get(new URL(url).pathname)
      expect(response.status()).toBe(404)
    })
${needed ? keepsText(model, needed) : ''}  })
}

test('the pages render on every screen', async ({ page }) => {
  await signIn(page.context(), 'admin@example.com')
  await page.goto('${path}/new')
  await expectEveryScreen(page, '${one.kebab}-new')
  await create${one.pascal}(page, ${name})
  await expectEveryScreen(page, '${one.kebab}')
  await page.goto('${path}')
  await expectEveryScreen(page, '${many.kebab}')
})
`
}

function keepsText({ path, one, fields, title }, needed) {
  const kept = fields.find(
    (field) => field !== needed && ['string', 'text', 'url'].includes(field.type),
  )
  return `
    test('keeps the typed text after a validation error', async ({ page }) => {
      await signIn(page.context(), 'editor@example.com')
      await page.goto('${path}/new')
      await fillForm(page, ${JSON.stringify(String(browserSample(title)))})
      await field(page, '${needed.label}').fill(' ')
      await page.getByRole('button', { name: 'Create ${one.text}' }).click()
      await expect(field(page, '${needed.label}')).toHaveAttribute('aria-invalid', 'true')
${kept ? `      await expect(field(page, '${kept.label}')).toHaveValue(${JSON.stringify(kept === title ? String(browserSample(title)) : browserSample(kept))})\n` : ''}    })
`
}

function fill(field, isTitle) {
  const { type, label } = field
  if (type === 'boolean') return `  await field(page, '${label}').check()`
  const value = isTitle ? 'title' : JSON.stringify(browserSample(field))
  const action = type === 'enum' ? 'selectOption' : 'fill'
  return `  await field(page, '${label}').${action}(${value})`
}

function browserSample({ type, samples, browserSample }, index = 0) {
  if (type === 'datetime') return index === 0 ? browserSample : samples[1].slice(0, 16)
  return String(samples[index])
}

const uniqueTitle = `const unique = () => \`Test \${crypto.randomUUID().slice(0, 8)}\`
`
