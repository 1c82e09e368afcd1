import { beforeEach, expect, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createApi } from '#api/api'
import { env, parseEnv } from '#config/env'
import { anyone } from '#guard/policy'
import { route } from '#guard/route'
import type { ApiContext } from '#http/api-context'
import { replaceSettings } from '#testing/settings'

let calls = 0

const item = z.object({ name: z.string().min(1), count: z.number().int().optional() })

const responses = { 200: { description: 'Done', body: z.looseObject({}) } }

function bodyRoute(path: string, forms: boolean) {
  return route(
    {
      method: 'post',
      path,
      name: path,
      summary: path,
      authorize: anyone,
      input: { body: item, forms },
      responses,
    },
    ({ input }) => {
      calls += 1
      return { received: input.body }
    },
  )
}

type Method = 'get' | 'post' | 'put'

function plainRoute(
  method: Method,
  path: string,
  handler: (c: ApiContext) => Record<string, unknown>,
) {
  return route({ method, path, name: path, summary: path, authorize: anyone, responses }, ({ c }) =>
    handler(c),
  )
}

const routes = [
  bodyRoute('/items', false),
  bodyRoute('/forms', true),
  plainRoute('put', '/items', () => ({})),
  plainRoute('get', '/items/:id', (c) => ({ id: c.req.param('id') })),
  plainRoute('post', '/exempt', () => ({})),
  plainRoute('get', '/crash', () => {
    throw new Error('select secret from vault')
  }),
  plainRoute('get', '/database-unavailable', () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), {
      code: 'ECONNREFUSED',
      query: 'select',
    })
  }),
  plainRoute('get', '/other-service-unavailable', () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }),
]

const api = createApi([{ id: 'test', api: routes }])

/** The API with a test module: routes that accept a body and routes that fail. */
export function testApi() {
  beforeEach(() => {
    calls = 0
  })
  return { api, post, expectProblem, applySettings }
}

/** Until the end of the test. */
function applySettings(values: Record<string, string>): void {
  const before = { ...env() }
  onTestFinished(() => replaceSettings(before))
  Object.assign(env(), parseEnv(values))
}

function post(path: string, body: BodyInit, headers: Record<string, string> = {}) {
  return api.request(path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** Also checks that no handler of `bodyRoute` ran. */
async function expectProblem(response: Response, status: number, code: string) {
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const body = await response.json()
  expect(body).toMatchObject({ status, code, type: `/api/problems/${code}` })
  expect(body.title).not.toBe('')
  expect(body.detail).not.toBe('')
  expect(body.requestId).toBe(response.headers.get('x-request-id'))
  expect(calls).toBe(0)
  return body
}
