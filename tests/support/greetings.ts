import { afterEach, beforeEach, expect } from 'vitest'
import { z } from 'zod'
import { createApi } from '@/api'
import { type Env, env, parseEnv } from '@/core/env'
import { anyone } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import type { ApiContext } from '@/core/http/context'

/** The interface with a module of tests: routes that take things, and routes that fail. */
let calls = 0

const greeting = z.object({ name: z.string().min(1), times: z.number().int().optional() })

const answers = { 200: { description: 'Done' } }

function taking<Body extends z.ZodType>(path: string, body: Body, forms: boolean) {
  return route(
    {
      method: 'post',
      path,
      name: path,
      summary: path,
      who: anyone,
      takes: { body, forms },
      answers,
    },
    (c, given) => {
      calls += 1
      return c.json({ given: given.body })
    },
  )
}

function plain(method: 'get' | 'post' | 'put', path: string, answer: (c: ApiContext) => Response) {
  return route({ method, path, name: path, summary: path, who: anyone, answers }, answer)
}

const routes = [
  taking('/greetings', greeting, false),
  taking('/forms', greeting, true),
  plain('put', '/greetings', (c) => c.json({})),
  plain('get', '/greetings/:id', (c) => c.json({ id: c.req.param('id') })),
  plain('post', '/exempt', (c) => c.json({})),
  plain('get', '/crash', () => {
    throw new Error('select secret from vault')
  }),
  plain('get', '/away', () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), {
      code: 'ECONNREFUSED',
      query: 'select',
    })
  }),
  plain('get', '/elsewhere', () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }),
]

export const api = createApi([{ id: 'greetings', api: routes }])

const settings = env() as Env
const defaults = { ...settings }

/** Until the end of the test. */
export function setting(values: Record<string, string>): void {
  Object.assign(settings, parseEnv(values))
}

beforeEach(() => {
  calls = 0
})

afterEach(() => {
  Object.assign(settings, defaults)
})

export function post(path: string, body: BodyInit, headers: Record<string, string> = {}) {
  return api.request(path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

export async function expectProblem(response: Response, status: number, code: string) {
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
