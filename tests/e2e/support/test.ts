import { test as base, expect, type Page } from '@playwright/test'

interface Options {
  /** Messages that a test provokes on purpose. Everything else the browser complains of fails it. */
  allowedProblems: RegExp
}

export const test = base.extend<Options>({
  allowedProblems: [/(?!)/, { option: true }],
  page: async ({ page, allowedProblems }, use) => {
    const problems = await collectProblems(page)
    await use(page)
    const unexpected = problems.filter((text) => !allowedProblems.test(text))
    expect(unexpected, 'the browser complained').toEqual([])
  },
})

export { expect }

async function collectProblems(page: Page) {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  await page.exposeBinding('reportViolation', (_source, text: string) => problems.push(text))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (violation) => {
      const { effectiveDirective, blockedURI, sourceFile } = violation
      const text = `Content-Security-Policy: ${effectiveDirective} ${blockedURI} ${sourceFile}`
      const report = Reflect.get(window, 'reportViolation') as (text: string) => void
      report(text)
    })
  })
  return problems
}
