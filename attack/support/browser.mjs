import { findChromium } from '../../packages/plinth/scripts/services/programs.mjs'

const args = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** An admin's browser that notices scripts that run, or would run without the policy. */
export async function openBrowser(target) {
  const executablePath = findChromium()
  if (!executablePath) return undefined
  const caller = await target.signIn('admin')
  const { chromium } = await import('@playwright/test')
  const browser = await chromium.launch({ executablePath, args })
  const context = await browser.newContext({ extraHTTPHeaders: { 'x-forwarded-for': caller.ip } })
  const [name, value] = caller.cookie.split('=')
  await context.addCookies([{ name, value, url: target.url, httpOnly: true, sameSite: 'Lax' }])
  await context.addInitScript(recordViolations)
  const page = await context.newPage()
  const seen = []
  page.on('dialog', (dialog) => {
    seen.push(`a dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => {})
  })
  page.on('request', (request) => {
    if (!isOwn(request.url(), target.url)) seen.push(`a request to ${request.url().slice(0, 200)}`)
    if (isExport(request)) seen.push(`an image loads ${request.url()}`)
  })

  async function inspect() {
    const found = [...seen.splice(0), ...(await page.evaluate(findScripts))]
    return [...new Set(found)]
  }

  return {
    /** The findings on a page that does run a script. */
    async detects() {
      await page.setContent('<p>x</p><img src="x:" onerror="window.__xss=1">')
      await page.waitForFunction(() => window.__xss)
      return inspect()
    },
    async visit(path) {
      const response = await page.goto(target.url + path, { waitUntil: 'load' })
      await page.evaluate(settle)
      const found = await inspect()
      return { found, status: response.status(), text: await page.evaluate(shownText) }
    },
    close: () => browser.close(),
  }
}

function isOwn(url, base) {
  return /^(data|blob|about):/.test(url) || new URL(url).origin === new URL(base).origin
}

function isExport(request) {
  return request.resourceType() !== 'document' && /\.csv|data\.json/.test(request.url())
}

/** Runs in the page, before its scripts. */
function recordViolations() {
  window.__violations = []
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, sample }) => {
    window.__violations.push(`${effectiveDirective} ${sample}`)
  })
}

/** Runs in the page: its text, and what its fields contain. */
function shownText() {
  const fields = [...document.querySelectorAll('input, textarea')].map(({ value }) => value)
  return [document.body.textContent, ...fields].join('\n')
}

/** Runs in the page: handlers of errors and animations run after the page has loaded. */
async function settle() {
  const images = [...document.images].map((image) => image.decode().catch(() => {}))
  await Promise.all(images)
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
}

/** Runs in the page: scripts that ran, that the policy stopped, and that a click would run. */
function findScripts() {
  const found = (window.__violations ?? []).map((line) => `the policy stopped ${line}`)
  if (window.__xss) found.push('a script ran')
  for (const element of document.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      const isLink = ['href', 'src', 'action', 'formaction', 'data', 'xlink:href'].includes(name)
      // A browser ignores control characters and spaces in front of and inside the protocol.
      const url = value.replace(/[\p{Cc}\s]/gu, '')
      const isScript = /^(javascript|vbscript|data:text\/html)/i.test(url)
      if (/^on/.test(name) || (isLink && isScript) || name === 'srcdoc') {
        found.push(`<${element.localName} ${name}="${value.slice(0, 80)}">`)
      }
    }
  }
  return found
}
