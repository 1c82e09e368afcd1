import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

const giveUpMs = 40_000

/** Writes an article slowly, as a user does, and submits it until it is saved. */
export async function writeInBrowser(journal, client, page, { javaScriptEnabled }) {
  const title = `Typed ${randomUUID()}`
  const text = `The text of ${title}`
  if (!(await openForm(page, javaScriptEnabled))) return
  await page.locator('input[name=title]').pressSequentially(title, { delay: 15 })
  await page.locator('textarea[name=body]').pressSequentially(text, { delay: 25 })
  const state = await submitUntilSaved(page, title, text)
  const at = performance.now()
  if (state.saved) journal.addWrite({ kind: 'article', at, key: title })
  journal.addForm({ client, at, title, kept: state.kept, detail: state.detail })
}

/** With scripts by a client navigation, which loads what the form needs. False while unavailable. */
async function openForm(page, javaScriptEnabled) {
  if (!javaScriptEnabled) return (await page.goto('/articles/new')).status() === 200
  if ((await page.goto('/articles')).status() !== 200) return false
  await page.locator('main a[href="/articles/new"]').first().click()
  try {
    await page.locator('textarea[name=body]').waitFor()
    return true
  } catch {
    return false
  }
}

async function submitUntilSaved(page, title, text) {
  const deadline = performance.now() + giveUpMs
  let state = { kept: true }
  while (performance.now() < deadline) {
    await page.locator('main form button[type=submit]').first().click()
    state = await settle(page, title, text)
    if (state.saved || !state.kept) return state
    await pause(500)
  }
  return state
}

/** What the user sees when the submission has ended. */
async function settle(page, title, text) {
  const deadline = performance.now() + 15_000
  let seen
  do {
    await pause(100)
    seen = await look(page)
    if (/^\/articles\/[\w-]{36}$/.test(seen.path) && seen.text.includes(title)) {
      return { saved: true, kept: true }
    }
  } while (!(seen.complete && seen.alert) && performance.now() < deadline)
  const shown = [seen.text, ...seen.fields].join('\n')
  if (shown.includes(title) && shown.includes(text)) return { kept: true, detail: seen.alert }
  return { kept: false, detail: `${seen.path} shows ${seen.text.slice(0, 200)}` }
}

/** Undefined fields while the page is being replaced. */
async function look(page) {
  try {
    return await page.evaluate(() => ({
      path: location.pathname,
      complete: document.readyState === 'complete',
      alert: document.querySelector('main [role=alert]')?.textContent ?? '',
      fields: [...document.querySelectorAll('input, textarea')].map(({ value }) => value),
      text: (document.querySelector('main') ?? document.body)?.textContent ?? '',
    }))
  } catch {
    return { path: '', complete: false, alert: '', fields: [], text: '' }
  }
}
