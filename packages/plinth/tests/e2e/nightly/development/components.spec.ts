import type { Page } from '@playwright/test'
import {
  expect,
  expectAccessible,
  expectEveryScreen,
  saveScreenshot,
  screens,
  setScreen,
  test,
  waitForAnimations,
} from 'plinth/testing/browser'

// The gallery is slow on the development server, so it is opened once for each component.
test.describe('gallery', () => {
  test.beforeEach(({ page }) => openGallery(page))

  test('button: renders as a link; is inert and keeps the focus while pending', async ({
    page,
  }) => {
    const link = section(page, 'Button').getByRole('link', { name: 'Home page' }).first()
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

  test('field: is described by its error and description; its label focuses it', async ({
    page,
  }) => {
    const email = page.getByRole('textbox', { name: 'Email' })
    await expect(email).toHaveAttribute('aria-invalid', 'true')
    await expect(email).toHaveAccessibleDescription(
      'Enter an email in the format name@example.com. Used only for emails about your account.',
    )
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await expect(name).not.toHaveAttribute('aria-invalid')
    await expect(name).not.toHaveAttribute('aria-describedby')
    await page.locator('label', { hasText: 'About you' }).click()
    await expect(page.getByRole('textbox', { name: 'About you' })).toBeFocused()
  })

  test('form: shows an error of the whole form', async ({ page }) => {
    const forms = section(page, 'Form')
    await forms.getByRole('button', { name: 'Publish' }).click()
    await expect(forms.getByRole('alert')).toHaveText('Another user saved first.')
  })

  test('form: shows an error that no field claims at the top, and keeps the text', async ({
    page,
  }) => {
    const forms = section(page, 'Form')
    const heading = forms.getByLabel('Heading')
    await heading.fill('Typed')
    await forms.getByRole('button', { name: 'Save heading' }).click()
    const alert = forms.getByRole('alert')
    await expect(alert).toHaveText('title: Enter a title.')
    await expect(heading).toHaveValue('Typed')
    const top = async (element: typeof alert) => (await element.boundingBox())?.y ?? Number.NaN
    expect(await top(alert)).toBeLessThan(await top(heading))
  })

  test('form: keeps all fields after an error and focuses the invalid one', async ({ page }) => {
    const form = section(page, 'Form')
    const title = form.getByLabel('Title')
    const color = form.getByLabel('Color')
    const pinned = form.getByLabel('Pin to the top')
    await expect(pinned).toHaveAccessibleDescription('Pinned notes are listed first.')
    for (const [choice, checked] of [
      ['green', false],
      ['red', true],
      ['green', false],
    ] as const) {
      await form.getByLabel('Text').fill(`A ${choice} note`)
      await color.selectOption(choice)
      await pinned.setChecked(checked)
      await form.getByRole('button', { name: 'Save note' }).click()
      await expect(title).toBeFocused()
      await expect(title).toHaveAccessibleDescription('Enter a title.')
      await expect(form.getByLabel('Text')).toHaveValue(`A ${choice} note`)
      await expect(color).toHaveValue(choice)
      await expect(pinned).toBeChecked({ checked })
      await page.getByRole('heading', { name: 'Components' }).click()
    }
    await title.fill('A title')
    await title.press('Enter')
    await expect(title).not.toHaveAttribute('aria-invalid')
    await expect(title).toHaveValue('')
    await expect(color).toHaveValue('gray')
    await expect(pinned).toBeChecked()
  })

  test('lists: filters, pages and an empty state', async ({ page }) => {
    const filter = page.getByRole('search')
    await expect(filter.getByLabel('Sort')).toHaveValue('oldest')
    await expect(filter.getByRole('link', { name: 'Clear' })).toHaveAttribute('href', '/dev/ui')
    const middle = page.getByRole('navigation', { name: 'Middle page' })
    await expect(middle.getByRole('link')).toHaveText(['Previous page', 'Next page'])
    const last = page.getByRole('navigation', { name: 'Last page' })
    await expect(last.getByRole('link')).toHaveText(['Newer notes'])
    const empty = section(page, 'Empty state')
    await expect(empty.getByRole('link', { name: 'Write a note' })).toBeVisible()
  })

  test('pages: sub navigation, sections and notices', async ({ page }) => {
    const pages = page.getByRole('navigation', { name: 'Development' })
    await expect(pages.getByRole('link', { name: 'Overview' })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await expect(section(page, 'Profile')).toContainText('beside the content')
    const notices = section(page, 'Notice')
    await expect(notices.getByRole('status')).toHaveText('Draft saved.')
    await expect(notices.getByRole('alert')).toHaveText('The account was not linked.')
  })

  test('confirm button: asks for confirmation and closes it after an error', async ({ page }) => {
    const forms = section(page, 'Confirm button')
    const opener = forms.getByRole('button', { name: 'Revoke' })
    await opener.click()
    const confirmation = page.getByRole('dialog', { name: 'Revoke this key?' })
    await confirmation.getByRole('button', { name: 'Revoke key' }).click()
    await expect(forms.getByText('Another user saved first.')).toBeVisible()
    await expect(confirmation).toBeHidden()
    await expect(opener).toBeFocused()
  })

  test('confirm button: is modal and starts on the harmless button', async ({ page }) => {
    const opener = section(page, 'Confirm button').getByRole('button', { name: 'Revoke' })
    // Until the script has loaded, it opens a popover, as it does without JavaScript.
    await expect(async () => {
      await opener.click()
      await expect(page.locator('dialog:modal')).toBeVisible({ timeout: 1000 })
    }).toPass()
    const confirmation = page.getByRole('dialog', { name: 'Revoke this key?' })
    await expect(confirmation.getByRole('button', { name: 'Cancel' })).toBeFocused()
    for (let tab = 0; tab < 5; tab += 1) {
      await page.keyboard.press('Tab')
      const outside = await page.evaluate(() => {
        const { activeElement, body } = document
        return activeElement !== body && !activeElement?.closest('dialog')
      })
      expect(outside).toBe(false)
    }
    await page.keyboard.press('Escape')
    await expect(confirmation).toBeHidden()
    await expect(opener).toBeFocused()
  })

  test('toast: names the object, shows one at a time and an undo that fails', async ({ page }) => {
    const toasts = section(page, 'Toast')
    await toasts.getByRole('button', { name: 'Show a toast', exact: true }).click()
    await expect(page.getByText('Invitation 1 sent.')).toBeVisible()
    await toasts.getByRole('button', { name: 'Show a toast with undo' }).click()
    await expect(page.getByText('Invitation 2 sent.')).toBeVisible()
    await expect(page.getByText('Invitation 1 sent.')).toBeHidden()
    await expectAccessible(page)
    const toast = page.locator('.toast')
    await toast.getByRole('button', { name: 'Undo' }).click()
    await expect(toast.getByRole('alert')).toHaveText('It was changed in the meantime.')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(page.getByText('Invitation 2 sent.')).toBeHidden()
  })

  test('time and table: local format; row and column headers', async ({ page }) => {
    const times = section(page, 'Time').getByRole('time')
    await expect(times.first()).toHaveAttribute('datetime', '2026-03-14T15:09:26Z')
    await expect(times.last()).not.toContainText('UTC')

    const table = page.getByRole('table', { name: 'Users' })
    await expect(table.getByRole('columnheader')).toHaveText(['Name', 'Email', 'Role', 'Sessions'])
    await expect(table.getByRole('rowheader', { name: 'Ada Lovelace' })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Invitations' })).toContainText('No invitations.')
  })
})

const darkPhone = { width: 390, theme: 'dark' } as const
const lightDesktop = { width: 1440, theme: 'light' } as const

test('gallery is accessible on every screen', async ({ page }) => {
  await openGallery(page)
  await expectEveryScreen(page, 'gallery')
})

for (const { width, theme } of [darkPhone, lightDesktop]) {
  test(`an open confirmation is accessible at ${width} px, ${theme}`, async ({ page }) => {
    await setScreen(page, width, theme)
    await openGallery(page)
    await section(page, 'Confirm button').getByRole('button', { name: 'Revoke' }).click()
    await expect(page.getByRole('dialog', { name: 'Revoke this key?' })).toBeVisible()
    await waitForAnimations(page)
    await expectAccessible(page)
    await saveScreenshot(page, 'open-confirmation', width, theme)
  })
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('submits a form', async ({ page }) => {
    await page.goto('/dev/ui')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Grace')
    await page.getByRole('textbox', { name: 'Email' }).fill('grace@example.com')
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page).toHaveURL(/name=Grace&email=grace%40example.com/)
  })
})

test.describe('error page', () => {
  test.use({ allowedErrors: /status of 500|script tag|must not reach the browser/ })

  for (const { width, theme } of screens) {
    test(`shows one sentence and a reference at ${width} px, ${theme}`, async ({ page }) => {
      await setScreen(page, width, theme === 'dark' ? 'light' : 'dark')
      await page.addInitScript((chosen) => {
        // biome-ignore lint/suspicious/noDocumentCookie: as theme.js does.
        document.cookie = `theme=${chosen};Path=/`
      }, theme)
      await page.goto('/dev/error')
      await expect(page.getByRole('heading')).toHaveText('Something went wrong on our side.')
      await expect(page.getByText(/^Reference: \w+$/)).toBeVisible()
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
      await expect(page.getByRole('main')).not.toContainText('must not reach the browser')
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
      await expectAccessible(page)
      await page.addStyleTag({ content: 'nextjs-portal { display: none }' })
      await saveScreenshot(page, 'error', width, theme)
    })
  }
})

/** Waits for hydration: React then attaches its properties to the elements. */
async function openGallery(page: Page) {
  await page.goto('/dev/ui')
  await page.waitForFunction(() => {
    const button = document.querySelector('main button')
    return button !== null && Object.keys(button).some((key) => key.startsWith('__react'))
  })
}

function section(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true })
}
