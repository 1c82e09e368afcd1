import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { describe, expect, test } from 'vitest'
import { CommitUnconfirmed, DatabaseTimeout } from '#db/errors'
import type { ApiEnvironment } from '#http/api-context'
import {
  errorResponse,
  isProblem,
  Problem,
  type ProblemCode,
  problemBody,
  problemDetail,
  problemHeaders,
  problems,
} from '#http/problems'
import { captureLog } from '../support/log'

async function responseTo(error: Error): Promise<Response> {
  const api = new Hono<ApiEnvironment>()
    .use(async (c, next) => {
      c.set('requestId', 'request-1')
      await next()
    })
    .get('/', () => {
      throw error
    })
  api.onError((thrown, c) => errorResponse(thrown, c))
  return api.request('/')
}

test('each code has a status of its kind', () => {
  const statuses = new Map<number, string[]>()
  for (const [code, [status]] of Object.entries(problems)) {
    statuses.set(status, [...(statuses.get(status) ?? []), code])
  }
  expect(Object.fromEntries(statuses)).toEqual({
    400: ['bad_request', 'malformed_json', 'oauth_failed'],
    401: [
      'unauthenticated',
      'invalid_credentials',
      'second_factor_required',
      'invalid_code',
      'sign_in_expired',
      'invalid_passkey',
    ],
    403: [
      'forbidden',
      'reauthentication_required',
      'proof_required',
      'cross_origin',
      'download_refused',
      'csrf_mismatch',
      'oauth_denied',
      'email_not_verified',
      'sign_up_closed',
      'account_frozen',
    ],
    404: ['not_found'],
    405: ['method_not_allowed'],
    409: [
      'conflict',
      'email_in_use',
      'account_linked_elsewhere',
      'account_not_linked',
      'provider_linked_already',
    ],
    413: ['body_too_large'],
    415: ['unsupported_media_type'],
    422: ['validation_failed'],
    429: ['rate_limited'],
    500: ['internal'],
    502: ['provider_unavailable'],
    503: ['unhealthy', 'database_unreachable'],
  })
})

test('a code from a URL has its text, and an unknown one has none', () => {
  expect(problemDetail('not_found')).toBe('Nothing was found at this URL.')
  for (const code of [undefined, '', 'unknown', 'constructor', '__proto__']) {
    expect(problemDetail(code)).toBeUndefined()
  }
})

test('a problem is recognized, and no other error is', () => {
  const problem = new Problem('conflict')
  expect(problem).toMatchObject({
    name: 'Problem',
    message: 'conflict',
    code: 'conflict',
    extras: {},
  })
  expect(isProblem(problem)).toBe(true)
  expect(isProblem(new Error('Problem'))).toBe(false)
  expect(isProblem({ name: 'Problem' })).toBe(false)
  expect(isProblem(undefined)).toBe(false)
})

describe('the body of a problem', () => {
  const plain = {
    type: '/api/problems/conflict',
    title: 'Conflict',
    status: 409,
    detail: 'The request conflicts with the current state.',
    code: 'conflict',
    requestId: 'request-1',
  }

  test('has the public texts', () => {
    expect(problemBody('conflict', 'request-1')).toEqual(plain)
  })

  test('has what is known of this case', () => {
    const errors = [{ field: 'name', message: 'Too short.' }]
    const url = 'http://localhost/sign-in'
    const pending = { challenge: 'abc', methods: ['totp'], href: '/sign-in/verify' }
    const extras = { detail: 'Taken.', errors, url, change: 'delete_account', pending }
    expect(problemBody('conflict', 'request-1', extras)).toEqual({
      ...plain,
      detail: 'Taken.',
      errors,
      url,
      change: 'delete_account',
      challenge: 'abc',
      methods: ['totp'],
    })
  })
})

test.each<[ProblemCode, object]>([
  ['conflict', {}],
  ['unhealthy', { 'retry-after': '2' }],
  ['database_unreachable', { 'retry-after': '2' }],
])('the headers of %s', (code, more) => {
  const type = { 'content-type': 'application/problem+json' }
  expect(problemHeaders(code)).toEqual({ ...type, ...more })
  expect(problemHeaders(code, { headers: { 'x-more': '1' } })).toEqual({
    ...type,
    ...more,
    'x-more': '1',
  })
})

describe('the response to an error', () => {
  const codeOf = async (error: Error) => (await (await responseTo(error)).json()).code

  test('that is a problem is that problem', async () => {
    const response = await responseTo(new Problem('conflict', { headers: { 'x-more': '1' } }))
    expect(response.status).toBe(409)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.headers.get('x-more')).toBe('1')
    expect(await response.json()).toMatchObject({ code: 'conflict', requestId: 'request-1' })
  })

  test('of an unreadable request is a bad request, and nothing is logged', async () => {
    const lines = captureLog()
    expect(await codeOf(new HTTPException(400))).toBe('bad_request')
    expect(lines()).toEqual([])
  })

  test('of any other status of Hono is internal', async () => {
    expect(await codeOf(new HTTPException(404))).toBe('internal')
  })

  test('of a frozen account says so', async () => {
    expect(await codeOf(Object.assign(new Error(), { code: 'PL004' }))).toBe('account_frozen')
  })

  test('of the database is temporary', async () => {
    expect((await responseTo(new DatabaseTimeout(1))).status).toBe(503)
  })

  test('of an unconfirmed commit says what to do', async () => {
    const { detail } = await (await responseTo(new CommitUnconfirmed(undefined))).json()
    expect(detail).toMatch(/^The database did not confirm the change\./)
  })

  test('that is unexpected is logged, and its text stays here', async () => {
    const lines = captureLog()
    const response = await responseTo(new Error('secret'))
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('secret')
    expect(lines()).toMatchObject([
      { level: 'error', msg: 'request failed', requestId: 'request-1', err: { message: 'secret' } },
    ])
  })
})
