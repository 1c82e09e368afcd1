import { htmlPayloads, markdownPayloads } from '../payloads/scripts.mjs'
import { sendAction } from '../support/actions.mjs'
import { createArticle, publishArticle } from '../support/articles.mjs'
import { openBrowser } from '../support/browser.mjs'
import { spread } from '../target.mjs'
import { control, Skip, verdict } from '../verdict.mjs'

/** The longest text that the search of users accepts. */
const maxSearch = 200

export const xss = [
  {
    name: 'stored and reflected text in Chromium',
    bypass: 'Text that a user typed runs as a script in the browser of another.',
    run: attackInBrowser,
  },
]

async function attackInBrowser(target) {
  const pages = await storePayloads(target)
  const browser = await openBrowser(target)
  if (!browser) throw new Skip('Chromium not found; set CHROMIUM_PATH')
  try {
    control((await browser.detects()).length > 0, 'a script that runs is noticed')
    const evidence = []
    let cases = 0
    for (const { path, payloads, shows } of [...pages, ...reflectingPages(target)]) {
      const { found, text, status } = await browser.visit(path)
      evidence.push(...found.map((line) => `${path.slice(0, 100)}: ${line}`))
      control([200, 404].includes(status), `${path.slice(0, 100)} is a page: ${status}`)
      control(!shows || text.includes(shows), `${path} shows the text`)
      cases += payloads
    }
    return verdict(cases, evidence)
  } finally {
    await browser.close()
    await pages.restore()
  }
}

/** Saves payloads as names, titles and bodies. Returns the pages that show them. */
async function storePayloads(target) {
  const editor = await target.signIn('editor')
  // One page of the list.
  const titles = spread(htmlPayloads.filter(isLine), target.quick ? 8 : 15)
  for (const title of titles) await createArticle(target, editor, { title, body: title })
  const html = await saveBody(target, editor, htmlPayloads)
  const markdown = await saveBody(target, editor, markdownPayloads)
  const action = target.requireActions().get('updateProfile')
  const name = `"'><img src=x onerror=window.__xss=1><svg onload=window.__xss=1>{{7*7}}`
  await sendAction(target.url, action, { name }, { caller: editor })
  const pages = [
    { path: '/articles', payloads: titles.length, shows: titles[0] },
    { path: `/articles/${html}`, payloads: htmlPayloads.length, shows: '__xss' },
    { path: `/articles/${markdown}`, payloads: markdownPayloads.length, shows: 'Payload' },
    { path: `/articles/${html}/edit`, payloads: htmlPayloads.length },
    { path: '/admin/users', payloads: 1, shows: name },
    { path: `/admin/users/${editor.id}`, payloads: 1, shows: name },
  ]
  return Object.assign(pages, {
    restore: () => sendAction(target.url, action, { name: editor.name }, { caller: editor }),
  })
}

async function saveBody(target, editor, payloads) {
  const id = await createArticle(target, editor, {
    title: 'Payloads',
    body: payloads.map((payload, index) => `Payload ${index}\n\n${payload}`).join('\n\n'),
  })
  await publishArticle(target, editor, id)
  return id
}

/** Several payloads in each parameter, because a page takes long to load. */
function reflectingPages(target) {
  const searches = inTexts(htmlPayloads, maxSearch)
  const texts = inTexts(htmlPayloads, 300)
  const link = 'javascript:window.__xss=1'
  const parameters = [
    ['/admin/audit', 'user', 'action', 'from', 'to'],
    ['/sign-in', 'error', 'email'],
    ['/articles', 'query', 'cursor'],
    ['/verify', 'token'],
    ['/reset', 'token'],
    ['/recover', 'token'],
    ['/account/connected', 'error', 'unlink'],
    ['/sign-up', 'token', 'error'],
  ]
  const pages = parameters.map(([path, ...names], index) => {
    const { text, payloads } = texts[index % texts.length]
    const query = new URLSearchParams(names.map((name) => [name, text]))
    return { path: `${path}?${query}`, payloads }
  })
  return [
    ...target.sample(searches, 3).map(({ text, payloads }) => ({
      path: `/admin/users?${new URLSearchParams({ query: text })}`,
      payloads,
      shows: text,
    })),
    ...target.sample(pages, 4),
    { path: `/sign-in?${new URLSearchParams({ callbackUrl: link })}`, payloads: 1 },
    { path: `/confirm?${new URLSearchParams({ callbackUrl: link })}`, payloads: 1 },
    { path: `/${encodeURIComponent(htmlPayloads[7])}`, payloads: 1 },
  ]
}

/** Joins payloads to texts of limited length. */
function inTexts(payloads, maxLength) {
  const texts = []
  for (const payload of payloads.filter(isLine)) {
    const last = texts.at(-1)
    if (last && last.text.length + payload.length < maxLength) {
      last.text += ` ${payload}`
      last.payloads += 1
    } else if (payload.length <= maxLength) texts.push({ text: payload, payloads: 1 })
  }
  return texts
}

/** Titles and searches have no control characters, and are trimmed. */
function isLine(text) {
  return text === text.trim() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}
