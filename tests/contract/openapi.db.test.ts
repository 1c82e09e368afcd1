import { Validator } from '@seriousme/openapi-schema-validator'
import { createApi, routesOf } from 'plinth/api/api'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import { newClient, testDatabase } from 'plinth/testing'
import { roles } from 'plinth/universal/users'
import { beforeAll, describe, expect, test } from 'vitest'
import { modules } from '@/modules'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

const routes = routesOf(modules)

type Operation = {
  operationId: string
  responses: Record<string, { content?: Record<string, { examples?: object }> }>
}

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

test('the reference page loads files of this origin, under the CSP of pages', async () => {
  const page = await newClient().send('/api/docs')
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  const html = await page.text()
  expect(html).not.toMatch(/<script(?![^>]* src=)/)
  const urls = [...html.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)]
  const loaded = urls.filter(([tag]) => !tag.includes('rel="canonical"'))
  expect(loaded.length).toBeGreaterThan(2)
  expect(loaded.filter(([, url]) => !url?.startsWith('/'))).toEqual([])
})

test('the reference page shows every operation of the document, with its problems', async () => {
  const { paths } = await readDocument()
  const html = await (await newClient().send('/api/docs')).text()
  const shown = [...html.matchAll(/<article id="operation-([^"]+)".*?<\/article>/gs)]
  const documented = Object.values(paths as Record<string, Record<string, Operation>>).flatMap(
    (operations) => Object.values(operations),
  )
  const names = documented.map(({ operationId }) => operationId)
  expect(shown.map(([, name]) => name).sort()).toEqual(names.sort())
  for (const { operationId, responses } of documented) {
    const article = shown.find(([, name]) => name === operationId)?.[0]
    for (const { content } of Object.values(responses)) {
      for (const code of Object.keys(content?.['application/problem+json']?.examples ?? {})) {
        expect(article).toContain(`<code>${code}</code>`)
      }
    }
  }
})
