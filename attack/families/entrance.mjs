import { paths } from '../payloads/paths.mjs'
import { smuggled } from '../payloads/smuggled-requests.mjs'
import { unreadableBodies, unreadableForms, unreadableStates } from '../payloads/unreadable.mjs'
import { unusualRequests } from '../payloads/unusual-requests.mjs'
import { outcomeOf, sendAction } from '../support/actions.mjs'
import { exchange } from '../support/raw.mjs'
import { control, tryAll } from '../verdict.mjs'

export const entrance = [
  {
    name: 'request smuggling',
    bypass: 'The body of a request is read as another request.',
    run: attackFraming,
  },
  {
    name: 'unusual requests',
    bypass: 'A malformed request makes the server fail.',
    run: attackUnusual,
  },
  {
    name: 'paths',
    bypass: 'The API is reached by another path, past what looks at the path.',
    run: attackPaths,
  },
  {
    name: 'forwarded headers',
    bypass: 'An action of another page is answered, but not executed.',
    run: attackForwarding,
  },
  {
    name: 'action bodies and router headers',
    bypass: 'A request that cannot be decoded makes the server fail.',
    run: attackUnreadable,
  },
]

async function attackFraming({ url }) {
  const plain = await exchange(url, 'GET /api/health/live HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2))
  control(plain.statuses.join() === '200,200', 'two requests on one connection')
  return tryAll(
    smuggled,
    async ([name, bytes]) => {
      const { received, statuses } = await exchange(url, bytes)
      if (statuses.length > 1) return `${name}: ${statuses.length} responses: ${statuses}`
      if (received.includes('{"status":"ok"}')) return `${name}: the hidden request has a response`
      return statuses.some((status) => status >= 500) ? `${name}: ${statuses}` : undefined
    },
    16,
  )
}

async function attackUnusual({ url }) {
  return tryAll(
    unusualRequests,
    async ([name, bytes]) => {
      const { received, statuses } = await exchange(url, bytes)
      const failed = statuses.find((status) => status >= 500 && status !== 501)
      if (failed) return `${name}: ${failed}`
      return /node_modules|at \w+ \(/.test(received) ? `${name}: a stack trace` : undefined
    },
    16,
  )
}

async function attackPaths({ url }) {
  return tryAll(
    paths,
    async (path) => {
      const bytes = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
      const { received, statuses } = await exchange(url, bytes, 5000)
      if (/\{"status":"ok"\}/.test(received)) return `${path} reaches the API`
      return statuses.length !== 1 || statuses[0] >= 500 ? `${path}: ${statuses}` : undefined
    },
    8,
  )
}

async function attackForwarding(target) {
  const action = target.requireActions().get('requestPasswordReset')
  const cases = [
    { 'x-forwarded-proto': 'https' },
    { 'x-forwarded-proto': 'https,http', 'x-forwarded-port': '1' },
    { 'x-action-forwarded': '1' },
    { forwarded: 'proto=https;host=evil.example', 'x-real-ip': '192.0.2.1' },
  ]
  return tryAll(cases, async (headers) => {
    const fields = { email: 'nobody@example.com' }
    const sent = await sendAction(target.url, action, fields, { path: '/sign-in', headers })
    const outcome = await outcomeOf(sent)
    return outcome === 'done' ? undefined : `${JSON.stringify(headers)}: ${outcome}`
  })
}

async function attackUnreadable(target) {
  const action = target.requireActions().get('requestPasswordReset')
  const post = async (path, body, headers) => {
    const response = await target.send(path, { method: 'POST', body, headers })
    const text = await response.text()
    const description = `${path}: ${response.status} for ${String(body).slice(0, 60)}`
    if (response.status >= 500) return description
    return /node_modules|at \w+ \(/.test(text) ? `${description} with a stack trace` : undefined
  }
  const plain = { 'content-type': 'text/plain;charset=UTF-8', 'next-action': action.id }
  const cases = [
    ...unreadableBodies.flatMap(([body, headers]) =>
      [action.path, '/sign-in'].map((path) => () => post(path, body, { ...plain, ...headers })),
    ),
    ...unreadableForms(action.id).map(
      ([body, headers]) =>
        () =>
          post(action.path, body, headers),
    ),
    ...unreadableStates.map((headers) => async () => {
      const response = await target.send('/sign-in?_rsc', { headers: { rsc: '1', ...headers } })
      const location = response.headers.get('location')
      const { status } = location ? await target.send(location, { headers }) : response
      return status >= 500 ? `${JSON.stringify(headers).slice(0, 80)}: ${status}` : undefined
    }),
  ]
  const sent = await sendAction(target.url, action, { email: 'nobody@example.com' })
  control(sent.status === 200, 'the action itself works')
  return tryAll(cases, (attempt) => attempt())
}
