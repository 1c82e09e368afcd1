/** Records every response that a page gets, and every error of its scripts. */
export function recordResponses(journal, client, page, { url, javaScriptEnabled }) {
  const add = (status, outcome, { detail, waitMs = 0 }) =>
    journal.addSample({ client, at: performance.now() - waitMs, waitMs, status, outcome, detail })

  page.on('response', async (response) => {
    if (!response.url().startsWith(url)) return
    const status = response.status()
    const { responseStart, requestStart } = response.request().timing()
    const unavailable = status === 503 && 'retry-after' in response.headers()
    const outcome = unavailable ? 'unavailable' : status >= 400 ? 'wrong' : 'ok'
    const detail = `${response.request().method()} ${response.url()}: ${status}`
    add(status, outcome, { detail, waitMs: Math.max(0, responseStart - requestStart) })
  })
  page.on('requestfailed', (request) => {
    const { errorText } = request.failure() ?? {}
    // The page was left before the response to a prefetch.
    if (errorText === 'net::ERR_ABORTED') return
    // Chromium reports this about scripts when JavaScript is off.
    if (errorText === 'csp' && !javaScriptEnabled) return
    add(0, 'wrong', { detail: `${request.method()} ${request.url()}: ${errorText}` })
  })
  page.on('pageerror', (error) => {
    add(0, 'wrong', { detail: `a script of ${page.url()} failed: ${error.message.slice(0, 300)}` })
  })
}
