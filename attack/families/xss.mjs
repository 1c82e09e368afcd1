import { htmlPayloads, markdownPayloads } from '../payloads/scripts.mjs'
import { sendAction } from '../support/actions.mjs'
import { createArticle, publishArticle } from '../support/articles.mjs'
import { openBrowser } from '../support/browser.mjs'
import { spread } from '../target.mjs'
import { control, Skip, verdict } from '../verdict.mjs'

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
      const { found, text } = await browser.visit(path)
      evidence.push(...found.map((line) => `${path.slice(0, 100)}: ${line}`))
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
  // One page of the list. A title has no control characters.
  const lines = htmlPayloads.filter((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))
  const titles = spread(lines, target.quick ? 8 : 15)
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

/** Many payloads in each parameter, because a page takes long to load. */
function reflectingPages(target) {
  const all = htmlPayloads.join(' ').slice(0, 3000)
  const text = encodeURIComponent(all)
  const link = encodeURIComponent('javascript:window.__xss=1')
  const paths = [
    `/admin/users?query=${text}&role=${text}&sort=${text}`,
    `/admin/audit?user=${text}&action=${text}&from=${text}`,
    `/sign-in?error=${text}&callbackUrl=${link}`,
    `/articles?done=${text}&cursor=${text}`,
    `/${encodeURIComponent(all.slice(0, 1500).replaceAll('/', ''))}`,
    `/verify?token=${text}`,
    `/reset?token=${text}`,
    `/secure-account?token=${text}`,
    `/confirm?callbackUrl=${link}`,
    `/account?done=${text}`,
    `/sign-up?token=${text}&error=${text}`,
  ]
  return target.sample(paths, 4).map((path) => ({ path, payloads: htmlPayloads.length }))
}
