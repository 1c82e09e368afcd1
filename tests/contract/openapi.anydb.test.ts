import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, test } from 'vitest'
import { createApi, routesOf } from '@/api'
import { createDemoAccounts } from '@/core/auth/accounts/demo-accounts'
import { roles } from '@/core/config/roles'
import { modules } from '@/modules'
import { newClient } from '../support/client'
import { testDatabase } from '../support/database'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

const routes = routesOf(modules)

async function readDocument() {
  return (await newClient().send('/api/openapi.json')).json()
}

test('the document is valid OpenAPI 3.1', async () => {
  const document = await readDocument()
  expect(document.openapi).toMatch(/^3\.1\./)
  const result = await new Validator().validate(document)
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
})

test('the document contains exactly the registered routes', async () => {
  const { paths } = await readDocument()
  const documented = Object.entries(paths as Record<string, object>).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  )
  const registered = createApi(modules)
    .routes.filter(({ method }) => method !== 'ALL')
    .map(
      ({ method, path }) =>
        `${method.toLowerCase()} ${path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')}`,
    )
  expect(documented.sort()).toEqual(registered.sort())
  expect(registered.length).toBeGreaterThan(8)
})

test('operation names are unique', () => {
  const names = routes.map(({ declaration }) => declaration.name)
  expect(new Set(names).size).toBe(names.length)
})

/** The client validates every response against the document. */
describe.each([undefined, ...roles])('for the role %s', (role) => {
  test.each(routes.map(({ declaration }) => [declaration.name, declaration] as const))(
    '%s responds as documented',
    async (_, { method, path, input = {} }) => {
      const client = newClient()
      if (role) await client.signIn(`${role}@example.com`)
      const url = `/api${path.replace(/:\w+(\{[^}]*\})?/g, 'unknown')}`
      const init = { method: method.toUpperCase() }
      if (method === 'get') {
        await client.send(url, init)
        await client.send(`${url}?limit=x&cursor=%00&role=king&query=${'x'.repeat(5000)}`, init)
        return
      }
      const json = { 'content-type': 'application/json' }
      const { example } = input
      if (input.body) expect(example, 'an example body').toBeDefined()
      const bodies = [example, {}, [], null, 7, 'text', { __proto__: null, email: [[[]]] }]
      for (const body of bodies) {
        await client.send(url, { ...init, headers: json, body: JSON.stringify(body) })
      }
      await client.send(url, { ...init, headers: json, body: '{' })
      await client.send(url, { ...init, headers: { 'content-type': 'text/plain' }, body: 'x' })
      await client.send(url, init)
    },
  )
})

test('the reference page and its assets come from this origin, under the CSP of pages', async () => {
  const page = await newClient().send('/api/docs')
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  const urls = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url)
  expect(urls.every((url) => url?.startsWith('/'))).toBe(true)
  for (const url of urls.filter((asset) => asset?.startsWith('/api/docs/'))) {
    const asset = await newClient().send(url ?? '')
    expect(asset.status).toBe(200)
    expect((await asset.text()).length).toBeGreaterThan(10_000)
  }
  const other = await newClient().send('/api/docs/..%2Fpackage.json')
  expect(other.status).toBe(404)
})
