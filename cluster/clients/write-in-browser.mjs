import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

const giveUpMs = 40_000

/** Writes an article slowly, as a user does, and submits it until it is saved. */
export async function writeInBrowser(journal, client, page, { javaScriptEnabled }) {
  const title = `Typed ${randomUUID()}`
  const body = `Text ${randomUUID()}`
  if (!(await openForm(page, javaScriptEnabled))) return
  await page.locator('input[name=title]').pressSequentially(title, { delay: 15 })
  await page.locator('textarea[name=body]').pressSequentially(body, { delay: 25 })
  const state = await submitUntilSaved(page, title, body)
  const at = performance.now()
  if (state.saved) journal.addWrite({ kind: 'article', client, at, key: body })
  journal.addForm({ client, at, title, body, kept: state.kept, detail: state.detail })
}

/** With scripts by a client navigation, which loads what the form needs. False while unavailable. */
async function openForm(page, javaScriptEnabled) {
  if (!javaScriptEnabled) return (await open(page, '/articles/new')).status() === 200
  if ((await open(page, '/articles')).status() !== 200) return false
  await page.locator('main a[href="/articles/new"]').first().click()
  try {
    await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
    return true
  } catch {
    return false
  }
}

/** A navigation of the page itself, as after a saved form, ends the one that is asked for. */
async function open(page, path, attempts = 3) {
  try {
    return await page.goto(path)
  } catch (error) {
    if (attempts === 1 || !/interrupted by another|ERR_ABORTED/.test(error.message)) throw error
    await page.waitForLoadState()
    return open(page, path, attempts - 1)
  }
}

async function submitUntilSaved(page, title, body) {
  const deadline = performance.now() + giveUpMs
  let state = { kept: true }
  while (performance.now() < deadline) {
    await page.locator('main form button[type=submit]').first().click()
    state = await settle(page, title, body)
    if (state.saved || !state.kept || state.onlyShown) return state
    await pause(500)
  }
  return state
}

/** The state that the user sees when the submission has ended. */
async function settle(page, title, body) {
  const deadline = performance.now() + 15_000
  let seen
  do {
    await pause(100)
    seen = await look(page)
    if (/^\/articles\/[\w-]{36}$/.test(seen.path) && seen.shown.includes(body)) {
      return { saved: true, kept: true, detail: seen.path }
    }
  } while (!(seen.complete && (seen.alert || !seen.hasForm)) && performance.now() < deadline)
  if (seen.shown.includes(title) && seen.shown.includes(body))
    return { kept: true, onlyShown: !seen.hasForm, detail: seen.alert }
  return { kept: false, detail: `${seen.path} shows ${seen.shown.slice(0, 200)}` }
}

/** Nothing while the page is being replaced. */
async function look(page) {
  try {
    return await page.evaluate(() => ({
      path: location.pathname,
      complete: document.readyState === 'complete',
      alert: document.querySelector('main [role=alert]')?.textContent ?? '',
      // Without one, the typed text is shown to copy.
      hasForm: document.querySelector('main form') !== null,
      shown: [
        (document.querySelector('main') ?? document.body)?.textContent,
        ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value),
      ].join('\n'),
    }))
  } catch {
    return { path: '', complete: false, alert: '', hasForm: true, shown: '' }
  }
}
