import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** By every rule but those left out, or by the rules given alone. */
export async function expectAccessible(page: Page, rulesLeftOut: string[] = [], rules?: string[]) {
  const { violations } = await new AxeBuilder({ page })
    // There are no frames, so that the page itself can be asked, without a second one beside it.
    .setLegacyMode()
    // The development server's own overlay is not part of the page.
    .exclude('nextjs-portal')
    .options({
      resultTypes: ['violations'],
      rules: Object.fromEntries(rulesLeftOut.map((rule) => [rule, { enabled: false }])),
      ...(rules && { runOnly: rules }),
    })
    .analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html)}`)
  expect(found).toEqual([])
}
