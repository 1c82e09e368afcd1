import { callbackUrls } from '../payloads/callback-urls.mjs'
import { sendAction } from '../support/actions.mjs'
import { exchange } from '../support/raw.mjs'
import { json } from '../support/send.mjs'
import { sessionFrom } from '../support/sessions.mjs'
import { combine, control, tryAll, verdict } from '../verdict.mjs'

const bypass = 'A link of this application leads the user to another site.'

export const redirects = [
  { name: 'sign-out', bypass, run: attackSignOut },
  { name: 'sign-in', bypass, run: attackSignIn },
  { name: 'sign-in page', bypass, run: attackSignInPage },
  { name: 'OAuth start and callback', bypass, run: attackOAuth },
  { name: '/confirm', bypass, run: (target) => attackConfirm(target, 'confirmIdentity') },
  {
    name: '/confirm for a change',
    bypass,
    run: (target) => attackConfirm(target, 'proveWithPassword'),
  },
  { name: 'Host and forwarded headers', bypass, run: attackHost },
]

/** Why a browser that gets this Location would leave the origin. */
function leaves(target, shape, { headers }, name = 'location') {
  if (headers.get('x-injected')) return `${JSON.stringify(shape)} adds a header`
  const location = headers.get(name)?.split(';')[0]
  if (!location) return undefined
  return leavesTo(target, location) && `${JSON.stringify(shape)} redirects to ${location}`
}

function leavesTo({ url }, location) {
  if (/^[\s\p{Cc}]|^[\\/]{2}|^\/\\/u.test(location) || !URL.canParse(location, url)) return true
  const { origin, protocol, username } = new URL(location, url)
  const names = [new URL(url).origin, new URL(url).origin.replace('127.0.0.1', 'localhost')]
  return !/^https?:$/.test(protocol) || username !== '' || !names.includes(origin)
}

async function attackSignOut(target) {
  const forms = callbackUrls(target.url).map((shape) => ({ shape, body: { callbackUrl: shape } }))
  const sent = await tryAll(forms, async ({ shape, body }) => {
    const form = await target.send('/api/auth/signout', {
      method: 'POST',
      body: new URLSearchParams(body),
    })
    if (form.status >= 500) return `${JSON.stringify(shape)} is ${form.status}`
    const plain = await target.send('/api/auth/signout', json(body))
    return leaves(target, shape, form) ?? leaves(target, shape, plain)
  })
  const asJson = await tryAll(forms, async ({ shape, body }) => {
    const response = await target.send('/api/auth/signout', json({ ...body, redirect: false }))
    const { url } = await response.json()
    return url && leavesTo(target, url) ? `${JSON.stringify(shape)} returns ${url}` : undefined
  })
  return combine([sent, asJson])
}

async function attackSignIn(target) {
  const account = target.account('viewer')
  let previous = await target.signIn('viewer')
  const chosen = target.sample(callbackUrls(target.url), 12)
  // One after the other: each sign-in replaces the session of the one before.
  return tryAll(
    chosen,
    async (shape) => {
      const body = json({ ...account, callbackUrl: shape })
      const response = await target.send('/api/auth/signin', { ...body, caller: previous })
      previous = sessionFrom(response, previous.ip) ?? previous
      return leaves(target, shape, response)
    },
    1,
  )
}

async function attackSignInPage(target) {
  const caller = await target.signIn('viewer').catch(() => undefined)
  const pages = ['/sign-in', '/api/auth/signin', '/confirm', '/sign-up']
  const cases = target.sample(callbackUrls(target.url), 10).flatMap((shape, index) => [
    { shape, page: pages[index % pages.length] },
    { shape, page: '/sign-in', caller },
  ])
  return tryAll(cases, async ({ shape, page, caller }) => {
    const path = `${page}?callbackUrl=${encodeURIComponent(shape)}`
    const response = await target.send(path, { caller })
    const text = await response.text()
    if (response.status >= 500) return `${path} is ${response.status}`
    const [link] =
      /(href|action|value)="([\\/]{2,}|https?:|javascript:|data:)[^"]*(evil|__xss)[^"]*"/i.exec(
        text,
      ) ?? []
    return link ? `${path} has ${link}` : leaves(target, path, response)
  })
}

async function attackOAuth(target) {
  const { providerUrl } = target.requireOwnServer()
  return tryAll(target.sample(callbackUrls(target.url), 16), async (shape) => {
    const started = await target.send('/api/auth/signin/github', {
      method: 'POST',
      body: new URLSearchParams({ callbackUrl: shape }),
    })
    const provider = started.headers.get('location') ?? ''
    if (!provider.startsWith(`${providerUrl}/login/oauth/authorize?`)) {
      return leaves(target, shape, started)
    }
    const cookie = started.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ')
    const state = new URL(provider).searchParams.get('state')
    const path = `/api/auth/callback/github?error=access_denied&state=${state}`
    const finished = await target.send(path, { headers: { cookie, accept: 'text/html' } })
    if (finished.status >= 500) return `${JSON.stringify(shape)} is ${finished.status}`
    return leaves(target, shape, finished)
  })
}

async function attackConfirm(target, name) {
  const action = target.requireActions().get(name)
  let caller = await target.signIn('viewer')
  // The action is limited to 30 calls in ten minutes.
  const chosen = target.sample(callbackUrls(target.url), 5).slice(0, 25)
  const attempt = async (callbackUrl) => {
    const fields = { change: 'add_factor', currentPassword: caller.password, callbackUrl }
    const response = await sendAction(target.url, action, fields, { caller })
    caller = { ...caller, ...sessionFrom(response, caller.ip) }
    return response
  }
  const redirected = (await attempt('/articles')).headers.get('x-action-redirect')
  control(redirected?.startsWith('/articles'), '/confirm returns to the page')
  return tryAll(
    chosen,
    async (shape) => leaves(target, shape, await attempt(shape), 'x-action-redirect'),
    1,
  )
}

async function attackHost(target) {
  const evidence = []
  const cases = [
    ['Host: evil.example'],
    ['Host: evil.example:80', 'X-Forwarded-Host: evil.example'],
    [
      `Host: ${new URL(target.url).host}`,
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: https',
    ],
    [`Host: ${new URL(target.url).host}`, 'Forwarded: host=evil.example;proto=https'],
    [
      `Host: ${new URL(target.url).host}`,
      'X-Original-URL: //evil.example',
      'X-Rewrite-URL: /api/health',
    ],
    [`Host: ${new URL(target.url).host}@evil.example`],
  ].flatMap((headers) =>
    [
      'GET /admin',
      'GET /api/auth/signin',
      'POST /api/auth/signout',
      'GET /articles/',
      'GET /account?x',
    ].map((line) => ({ line, headers })),
  )
  for (const { line, headers } of cases) {
    const lines = [`${line} HTTP/1.1`, ...headers, 'Content-Length: 0', 'Connection: close', '', '']
    const { received } = await exchange(target.url, lines.join('\r\n'))
    const [, location] = /^location: (.*?)\r$/im.exec(received) ?? []
    if (/evil/.test(location)) evidence.push(`${line}, ${headers.join(', ')}: ${location}`)
  }
  return verdict(cases.length, evidence)
}
