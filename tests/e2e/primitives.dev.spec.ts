import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility'
import { expectEveryLook, lookAt, looks, saveScreenshot } from './support/looks'
import { expect, test } from './support/test'

// The gallery is long and comes from the development server, so it is opened once for each component.
test.describe('the gallery', () => {
  test.beforeEach(({ page }) => openGallery(page))

  test('button: can be a link; inert but keeps the focus while its form is busy', async ({
    page,
  }) => {
    const link = section(page, 'Button').getByRole('link', { name: 'Start page' }).first()
    await expect(link).toHaveAttribute('href', '/')

    const save = page.getByRole('button', { name: 'Save changes' })
    const saved = page.getByText(/^Saved \d times$/)
    await save.click()
    await expect(save).toHaveAttribute('aria-busy', 'true')
    await expect(save).toHaveAttribute('aria-disabled', 'true')
    await expect(save).toBeFocused()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Finish saving' }).click()
    await expect(save).not.toHaveAttribute('aria-busy')
    await expect(saved).toHaveText('Saved 1 times')
  })

  test('field: names its error and its description, and its label gives it the focus', async ({
    page,
  }) => {
    const email = page.getByRole('textbox', { name: 'E-mail' })
    await expect(email).toHaveAttribute('aria-invalid', 'true')
    await expect(email).toHaveAccessibleDescription(
      'This does not look like an e-mail address. We write only about your account.',
    )
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await expect(name).not.toHaveAttribute('aria-invalid')
    await expect(name).not.toHaveAttribute('aria-describedby')
    await page.locator('label', { hasText: 'About you' }).click()
    await expect(page.getByRole('textbox', { name: 'About you' })).toBeFocused()
  })

  test('form of one button: says beside it why it was refused', async ({ page }) => {
    const forms = section(page, 'Form of one button')
    await forms.getByRole('button', { name: 'Publish' }).click()
    await expect(forms.getByText('Somebody else was faster.')).toBeVisible()
  })

  test('form of one button: asks first where it is told to, and closes what asked', async ({
    page,
  }) => {
    const forms = section(page, 'Form of one button')
    await forms.getByRole('button', { name: 'Revoke' }).click()
    const asks = page.getByRole('dialog', { name: 'Revoke the key?' })
    await asks.getByRole('button', { name: 'Revoke the key' }).click()
    await expect(forms.getByText('Somebody else was faster.')).toBeVisible()
    await expect(asks).toBeHidden()
  })

  test('time and table: in the words of the reader, with names for rows and columns', async ({
    page,
  }) => {
    const times = section(page, 'Time').getByRole('time')
    await expect(times.first()).toHaveAttribute('datetime', '2026-03-14T15:09:26.535Z')
    await expect(times.last()).not.toContainText('UTC')

    const table = page.getByRole('table', { name: 'People' })
    await expect(table.getByRole('columnheader')).toHaveText(['Name', 'E-mail', 'Role', 'Sessions'])
    await expect(table.getByRole('rowheader', { name: 'Ada Lovelace' })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Invitations' })).toContainText('No invitations.')
  })

  test('dialog: traps the focus, closes on Escape or by its buttons, gives the focus back', async ({
    page,
  }) => {
    const opener = section(page, 'Dialog').getByRole('button', { name: 'Rename' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Rename the project' })
    await expect(dialog).toHaveAccessibleDescription('Links to it keep working.')
    await expect(dialog.getByRole('textbox', { name: 'Project name' })).toBeFocused()
    for (let stop = 0; stop < 6; stop++) {
      await page.keyboard.press('Tab')
      await expect(dialog.locator(':focus')).toHaveCount(1)
    }
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(opener).toBeFocused()

    await section(page, 'Dialog').getByRole('button', { name: 'Delete' }).click()
    const asks = page.getByRole('dialog', { name: 'Delete the project?' })
    await asks.getByRole('button', { name: 'Keep it' }).click()
    await expect(asks).toBeHidden()
  })

  test('menu: closes on Escape without choosing; is walked with arrows and by typing', async ({
    page,
  }) => {
    const opener = page.getByRole('button', { name: 'Actions' })
    await opener.click()
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
    await expect(opener).toBeFocused()
    await expect(page.getByText('Chosen: nothing')).toBeVisible()

    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused()
    await expect(opener).toHaveAttribute('aria-expanded', 'true')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'Duplicate' })).toBeFocused()
    await page.keyboard.press('r')
    await expect(page.getByRole('menuitem', { name: 'Remove' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Chosen: Remove')).toBeVisible()
    await expect(opener).toBeFocused()
  })

  test('select: names its error; is opened, walked and closed by keyboard', async ({ page }) => {
    const wrong = page.getByRole('combobox', { name: 'New role' })
    await expect(wrong).toHaveAttribute('aria-invalid', 'true')
    await expect(wrong).toHaveAccessibleDescription(/^Choose a role\./)

    const role = page.getByRole('combobox', { name: 'Role', exact: true })
    await role.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('option', { name: 'Viewer' })).toBeFocused()
    // Its library would put one there, which the policy refuses.
    await expect(page.locator('style[data-href*="base-ui"]')).toHaveCount(0)
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('option', { name: 'Editor' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('listbox')).toBeHidden()
    await expect(role).toHaveText('Editor')
    await expect(role).toBeFocused()
    await expect(page.locator('input[name="role"]')).toHaveValue('editor')
  })

  test('toast: is polite and dismissed, reached with F6, an alert when it brings bad news', async ({
    page,
  }) => {
    const region = page.getByRole('region', { name: 'Notifications' })
    const show = page.getByRole('button', { name: 'Show a message' })
    await show.click()
    await expect(region).toHaveAttribute('aria-live', 'polite')
    await expect(region.getByText('Changes saved')).toBeVisible()
    await region.getByRole('button', { name: 'Dismiss' }).click()
    await expect(region.getByText('Changes saved')).toBeHidden()

    await show.click()
    await expect(region.getByText('Changes saved')).toBeVisible()
    await page.keyboard.press('F6')
    await page.keyboard.press('Tab')
    await expect(region.getByRole('dialog', { name: 'Changes saved' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(region.getByText('Changes saved')).toBeHidden()

    await page.getByRole('button', { name: 'Show a failure' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Not saved' })).toBeAttached()
  })
})

const openers = [
  { name: 'dialog', role: 'button', opener: 'Rename', opens: 'dialog' },
  { name: 'menu', role: 'button', opener: 'Actions', opens: 'menu' },
  { name: 'select', role: 'combobox', opener: 'Role', opens: 'listbox' },
  { name: 'toast', role: 'button', opener: 'Show a message', opens: 'dialog' },
] as const

const phoneInTheDark = { width: 390, theme: 'dark' } as const
const deskInTheLight = { width: 1440, theme: 'light' } as const

test('the gallery is accessible at every look', async ({ page }) => {
  await openGallery(page)
  await expectEveryLook(page, 'gallery')
})

for (const { width, theme } of [phoneInTheDark, deskInTheLight]) {
  test(`what opens is accessible at ${width} px, ${theme}`, async ({ page }) => {
    await lookAt(page, width, theme)
    await openGallery(page)
    for (const { name, role, opener, opens } of openers) {
      await page.getByRole(role, { name: opener, exact: true }).click()
      await expect(page.getByRole(opens)).toBeVisible()
      await page.waitForFunction(() => document.getAnimations().length === 0)
      // A menu belongs to the button that opened it, not to a landmark of the page.
      await expectAccessible(page, ['region'])
      await saveScreenshot(page, `open-${name}`, width, theme)
      await page.keyboard.press('Escape')
    }
  })
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a form sends its fields, and a plain select stands in', async ({ page }) => {
    await page.goto('/dev/ui')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Grace')
    await page.getByRole('textbox', { name: 'E-mail' }).fill('grace@example.com')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page).toHaveURL(/name=Grace&email=grace%40example.com/)
    await page.locator('select[name="role"]').selectOption('editor')
    await expect(page.locator('input[name="role"]')).toHaveCount(0)
  })
})

test.describe('the error page', () => {
  test.use({ allowedProblems: /status of 500|script tag|must not reach the reader/ })

  for (const { width, theme } of looks) {
    test(`says one sentence and a reference at ${width} px, ${theme}`, async ({ page }) => {
      await lookAt(page, width, theme === 'dark' ? 'light' : 'dark')
      await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme)
      await page.goto('/dev/error')
      await expect(page.getByRole('heading')).toHaveText('Something went wrong on our side.')
      await expect(page.getByText(/^Reference: \w+$/)).toBeVisible()
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
      await expect(page.getByRole('main')).not.toContainText('must not reach the reader')
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
      await expectAccessible(page)
      await page.addStyleTag({ content: 'nextjs-portal { display: none }' })
      await saveScreenshot(page, 'error', width, theme)
    })
  }
})

/** Opens it and waits until React has made it interactive. */
async function openGallery(page: Page) {
  await page.goto('/dev/ui')
  await expect(page.locator('input[name="role"]')).toHaveCount(1)
}

function section(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true })
}
