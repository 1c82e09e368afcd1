import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, test } from 'vitest'
import { createApi, routesOf } from '@/api'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { roles } from '@/core/auth/roles'
import { modules } from '@/modules'
import { newClient } from '../support/client'
import { testDatabase } from '../support/database'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

const routes = routesOf(modules)

async function readDescription() {
  return (await newClient().send('/api/openapi.json')).json()
}

test('the description is valid OpenAPI 3.1', async () => {
  const document = await readDescription()
  expect(document.openapi).toMatch(/^3\.1\./)
  const result = await new Validator().validate(document)
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
})

test('it holds every route that is answered, and no other', async () => {
  const { paths } = await readDescription()
  const described = Object.entries(paths as Record<string, object>).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  )
  const answered = createApi(modules)
    .routes.filter(({ method }) => method !== 'ALL')
    .map(
      ({ method, path }) =>
        `${method.toLowerCase()} ${path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')}`,
    )
  expect(described.sort()).toEqual(answered.sort())
  expect(answered.length).toBeGreaterThan(8)
})

test('each operation has a name of its own', () => {
  const names = routes.map(({ declaration }) => declaration.name)
  expect(new Set(names).size).toBe(names.length)
})

/** The client holds every answer against the description; here it only has to be asked. */
describe.each([undefined, ...roles])('asked by %s', (role) => {
  test.each(routes.map(({ declaration }) => [declaration.name, declaration] as const))(
    '%s answers as described',
    async (_, { method, path, takes = {} }) => {
      const client = newClient()
      if (role) await client.signIn(`${role}@example.com`)
      const address = `/api${path.replace(/:\w+(\{[^}]*\})?/g, 'nothing')}`
      const init = { method: method.toUpperCase() }
      if (method === 'get') {
        await client.send(address, init)
        await client.send(`${address}?limit=x&cursor=%00&role=king&query=${'x'.repeat(5000)}`, init)
        return
      }
      const json = { 'content-type': 'application/json' }
      const { example } = takes
      if (takes.body) expect(example, 'a body that works').toBeDefined()
      const bodies = [example, {}, [], null, 7, 'text', { __proto__: null, email: [[[]]] }]
      for (const body of bodies) {
        await client.send(address, { ...init, headers: json, body: JSON.stringify(body) })
      }
      await client.send(address, { ...init, headers: json, body: '{' })
      await client.send(address, { ...init, headers: { 'content-type': 'text/plain' }, body: 'x' })
      await client.send(address, init)
    },
  )
})

test('the reference and what it is made of come from here, under the policy of pages', async () => {
  const page = await newClient().send('/api/docs')
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  const own = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url)
  expect(own.every((url) => url?.startsWith('/'))).toBe(true)
  for (const url of own.filter((address) => address?.startsWith('/api/docs/'))) {
    const asset = await newClient().send(url ?? '')
    expect(asset.status).toBe(200)
    expect((await asset.text()).length).toBeGreaterThan(10_000)
  }
  const other = await newClient().send('/api/docs/..%2Fpackage.json')
  expect(other.status).toBe(404)
})
