import { onShutdown } from '../../packages/plinth/scripts/processes.mjs'
import { findChromium } from '../../packages/plinth/scripts/services/programs.mjs'
import { CommandError } from '../../packages/plinth/scripts/terminal.mjs'
import { recordResponses } from './browser-responses.mjs'
import { writeInBrowser } from './write-in-browser.mjs'

const args = ['--no-sandbox', '--headless', '--disable-gpu', '--disable-background-networking']

/** One user with JavaScript and one without, who write articles all the time. */
export async function openBrowser(context, [withScripts, withoutScripts]) {
  const executablePath = findChromium()
  if (!executablePath) return undefined
  const { chromium } = await import('@playwright/test')
  // Signals of this process are handled by onShutdown, which runs in the right order.
  const browser = await chromium.launch({
    ...{ executablePath, args },
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
  })
  const close = onShutdown(() => browser.close())
  const visitors = [
    await openVisitor(context, browser, withScripts, true),
    await openVisitor(context, browser, withoutScripts, false),
  ]
  return { visitors, close }
}

async function openVisitor({ journal, url }, browser, { tokens }, javaScriptEnabled) {
  const context = await browser.newContext({ javaScriptEnabled, baseURL: url })
  await context.addCookies([
    { name: 'authjs.session-token', value: tokens[0], url, httpOnly: true },
  ])
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const client = javaScriptEnabled ? 'Chromium' : 'Chromium without JavaScript'
  recordResponses(journal, client, page, { url, javaScriptEnabled })
  return async () => {
    try {
      await writeInBrowser(journal, client, page, { javaScriptEnabled })
    } catch (error) {
      if (page.isClosed()) throw new CommandError(`${client} was closed.`)
      const detail = String(error.message).split('\n').slice(0, 3).join(' ')
      const at = performance.now()
      journal.addSample({ client, at, waitMs: 0, status: 0, outcome: 'wrong', detail })
    }
  }
}
