import { readFileSync } from 'node:fs'
import { createArticle } from '../support/articles.mjs'
import { createCallers, ranks } from '../support/callers.mjs'
import { sendAndFollow } from '../support/send.mjs'
import { control, tryAll } from '../verdict.mjs'

const stateOf = (path) =>
  encodeURIComponent(
    JSON.stringify(['', { children: [path, { children: ['__PAGE__', {}] }] }, null, 'refetch']),
  )

/** The ways to ask Next for a page. */
const encodings = {
  GET: () => ({}),
  RSC: () => ({ rsc: '1' }),
  'RSC for a router that has the page': (path) => ({
    rsc: '1',
    'next-router-state-tree': stateOf(path),
  }),
  prefetch: () => ({ rsc: '1', 'next-router-prefetch': '1' }),
  'a segment': () => ({
    rsc: '1',
    'next-router-segment-prefetch': '/_full',
  }),
  'prefetch of the tree': () => ({
    rsc: '1',
    'next-router-prefetch': '1',
    'next-router-segment-prefetch': '/_tree',
  }),
  'prefetch by the browser': () => ({ purpose: 'prefetch', 'sec-purpose': 'prefetch' }),
  'past the middleware': () => ({ 'x-middleware-subrequest': 'src/middleware:middleware' }),
}

export async function attackPages(target) {
  target.requireActions()
  const editor = await target.signIn('editor')
  const admin = await target.signIn('admin')
  const secret = `Secret ${crypto.randomUUID()}`
  const article = await createArticle(target, editor, { title: secret, body: secret })
  const paths = pagePaths({ article, user: admin.id })
  await requireVisible(target, { editor, admin, article, secret })

  const callers = await createCallers(target)
  const cases = callers.flatMap((caller) =>
    paths.flatMap((path) => Object.keys(encodings).map((encoding) => ({ caller, path, encoding }))),
  )
  return tryAll(target.sample(cases, 80), async ({ caller, path, encoding }) => {
    const headers = encodings[encoding](path)
    const { status, text } = await sendAndFollow(target.url, path, { caller, headers })
    const description = `${caller.description}: ${encoding} of ${path}`
    if (status >= 500) return `${description}: ${status}`
    const hidden = [
      // The public page about the demo accounts.
      ...(path === '/start' ? [] : [admin.email]),
      ...(ranks[caller.role] < ranks.editor ? [secret] : []),
    ]
    const seen = hidden.find((value) => text.includes(value))
    return seen && `${description} shows ${seen}`
  })
}

function pagePaths({ article, user }) {
  const routes = JSON.parse(readFileSync('.next/app-path-routes-manifest.json', 'utf8'))
  const pages = Object.entries(routes).filter(([file]) => file.endsWith('/page'))
  return pages.map(([, path]) =>
    path.startsWith('/articles') ? path.replace('[id]', article) : path.replace('[id]', user),
  )
}

/** The same requests by those who may send them. */
async function requireVisible(target, { editor, admin, article, secret }) {
  for (const encoding of ['GET', 'RSC', 'a segment']) {
    const headers = encodings[encoding]('articles')
    const path = `/articles/${article}`
    const draft = await sendAndFollow(target.url, path, { caller: editor, headers })
    control(draft.text.includes(secret), `an editor sees a draft by ${encoding}`)
    const users = await sendAndFollow(target.url, '/admin/users', { caller: admin, headers })
    control(users.text.includes(admin.email), `an admin sees the users by ${encoding}`)
  }
}
