import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

export async function expectAccessible(page: Page, disabledRules: string[] = []) {
  const { violations } = await new AxeBuilder({ page })
    // Legacy mode needs no second page; it does not check frames, and there are none.
    .setLegacyMode()
    // The development server's own overlay is not part of the page.
    .exclude('nextjs-portal')
    .options({
      resultTypes: ['violations'],
      rules: Object.fromEntries(disabledRules.map((rule) => [rule, { enabled: false }])),
    })
    .analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html)}`)
  expect(found).toEqual([])
}
