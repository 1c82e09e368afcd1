import { test as base, expect, type Page } from '@playwright/test'

interface Options {
  /** Console errors that the test expects. Any other fails it. */
  allowedErrors: RegExp
}

export const test = base.extend<Options>({
  allowedErrors: [/(?!)/, { option: true }],
  page: async ({ page, allowedErrors }, use) => {
    const errors = await collectErrors(page)
    await use(page)
    const unexpected = errors.filter((text) => !allowedErrors.test(text))
    expect(unexpected, 'browser errors').toEqual([])
  },
})

export { expect }

async function collectErrors(page: Page) {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(`${error.message} at ${page.url()}`))
  await page.exposeBinding('reportViolation', (_source, text: string) => errors.push(text))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (violation) => {
      const { effectiveDirective, blockedURI, sourceFile } = violation
      const text = `Content-Security-Policy: ${effectiveDirective} ${blockedURI} ${sourceFile}`
      const report = Reflect.get(window, 'reportViolation') as (text: string) => void
      report(text)
    })
  })
  return errors
}
