import type { Page } from '@playwright/test'
import { anotherBrowser, expect, signIn, signUp, test } from 'plinth/testing/browser'

const widths = [320, 390, 720, 820, 1440]

/** A name of the longest kind: it offers no place to break. */
const longName = 'W'.repeat(100)

/** Every cell ends inside its frame, and the page does not scroll sideways. */
async function cutCells(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement
    const cut = root.scrollWidth > root.clientWidth ? ['the page'] : []
    for (const frame of document.querySelectorAll('.table-frame')) {
      const { right } = frame.getBoundingClientRect()
      const inner = [...frame.querySelectorAll('th, td, td > *')]
      const outside = inner.filter((cell) => cell.getBoundingClientRect().right > right + 1)
      const visible = outside.filter((cell) => !cell.closest('thead'))
      cut.push(...visible.map((cell) => cell.textContent?.slice(0, 30) ?? ''))
    }
    return cut
  })
}

test('a long name and an IPv6 address push nothing out of a table', async ({ page, context }) => {
  const other = await anotherBrowser(page, {
    extraHTTPHeaders: { 'x-forwarded-for': '2001:db8:85a3:1234:5678:8a2e:370:7334' },
  })
  const email = await signUp(other, longName)
  await signIn(other, email, 'a few words in a row')
  await other.close()
  await signIn(context, 'admin@example.com')
  await page.goto(`/admin/users?query=${email}`)
  const user = page.getByRole('link', { name: longName })
  const userPage = await user.getAttribute('href')
  for (const path of [`/admin/users?query=${email}`, `${userPage}`, '/admin/audit']) {
    await page.goto(path)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      expect(await cutCells(page), `${path} at ${width} px`).toEqual([])
    }
  }
})
