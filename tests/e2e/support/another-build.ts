import type { Page } from '@playwright/test'

const id = /7f[\da-f]{40}/g

/** The next form is sent as by a page of another build, whose action this server does not have. */
export async function sendToAnotherBuild(page: Page): Promise<void> {
  const withoutAction = (text: string) => text.replace(id, `7f${'dead'.repeat(10)}`)
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

/** What the browser prints about it. */
export const anotherBuildErrors = /status of 409|was not found on the server/
