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

/** Collects the errors that the browser reports from now on. */
export async function collectErrors(page: Page) {
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

const actionId = /7f[\da-f]{40}/g

/** The next form is sent as by a page of another build, whose action this server does not have. */
export async function sendToAnotherBuild(page: Page): Promise<void> {
  const withoutAction = (text: string) => text.replace(actionId, `7f${'dead'.repeat(10)}`)
  let isSent = false
  await page.route('**/*', async (route, request) => {
    if (isSent || request.method() !== 'POST') return route.fallback()
    isSent = true
    const { 'next-action': action, ...headers } = await request.allHeaders()
    await route.continue(
      action
        ? { headers: { ...headers, 'next-action': withoutAction(action) } }
        : { postData: withoutAction(request.postData() ?? '') },
    )
  })
}

/** The response to the next form is that of another build, so the page after it is loaded anew. */
export async function answerFromAnotherBuild(page: Page): Promise<void> {
  await page.route('**/*', async (route, request) => {
    if (request.method() !== 'POST') return route.fallback()
    const response = await route.fetch({ maxRedirects: 0 })
    const headers = { ...response.headers(), 'x-nextjs-deployment-id': 'another' }
    await route.fulfill({ response, headers })
  })
}

/** The errors that the browser prints about another build. */
export const anotherBuildErrors = /status of 409|was not found on the server/

/** The message of a form that was sent offline. */
export const offline = 'Not saved. You are offline.'

/** The errors that the browser prints about a request without a response of the server. */
export const lostConnectionErrors =
  /Failed to (fetch|load resource)|ERR_INTERNET_DISCONNECTED|unexpected response was received/
