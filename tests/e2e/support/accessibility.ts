import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

export async function expectAccessible(page: Page, rulesLeftOut: string[] = []) {
  // The development server's own overlay is not part of the page.
  const { violations } = await new AxeBuilder({ page })
    .exclude('nextjs-portal')
    .disableRules(rulesLeftOut)
    .analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html)}`)
  expect(found).toEqual([])
}
