import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createApi } from '#api/api'
import { createDemoAccounts } from '#auth/accounts/users'
import { createSession } from '#auth/sessions/session'
import { users } from '#db/schema'
import { anyone, isSignedIn } from '#guard/policy'
import { route } from '#guard/route'
import { testDatabase } from '#testing/database/database'
import { refuse } from '#universal/action-result'

const db = testDatabase()

const base = { method: 'get', summary: 'Test', authorize: anyone } as const
const thing = z.strictObject({ id: z.string(), at: z.iso.datetime() })
const responses = { 200: { description: 'A thing.', body: thing } }

const api = createApi([
  {
    id: 'test',
    api: [
      route({ ...base, path: '/value', name: 'value', responses }, () => ({
        id: 'a',
        at: new Date(0),
      })),
      route(
        { ...base, path: '/created', name: 'created', responses: { 201: responses[200] } },
        () => ({ id: 'a', at: '1970-01-01T00:00:00.000Z' }),
      ),
      route(
        { ...base, path: '/empty', name: 'empty', responses: { 204: { description: 'Nothing.' } } },
        () => undefined,
      ),
      route({ ...base, path: '/missing', name: 'missing', responses }, () =>
        refuse('not_found', 'This thing was deleted.'),
      ),
      route({ ...base, path: '/invalid', name: 'invalid', responses }, () =>
        refuse('invalid', undefined, [{ field: 'id', message: 'Enter an id.' }]),
      ),
      route(
        {
          ...base,
          path: '/me',
          name: 'me',
          authorize: isSignedIn,
          responses: { 200: { description: 'You.', body: z.strictObject({ email: z.string() }) } },
        },
        ({ scope }) => ({ email: scope.session.user.email }),
      ),
      // @ts-expect-error the id must be a string
      route({ ...base, path: '/wrong', name: 'wrong', responses }, () => ({ id: 1, at: '' })),
      // @ts-expect-error a field is missing
      route({ ...base, path: '/less', name: 'less', responses }, () => ({ id: 'a' })),
      // @ts-expect-error a JSON response is returned as a value, so that its type is checked
      route({ ...base, path: '/raw', name: 'raw', responses }, ({ c }) => c.json({ id: 1 })),
    ],
  },
])

beforeAll(() => createDemoAccounts(db.database))

test('sends the returned value as JSON with the declared status', async () => {
  const response = await api.request('/api/value')
  expect([response.status, await response.json()]).toEqual([
    200,
    { id: 'a', at: '1970-01-01T00:00:00.000Z' },
  ])
  expect((await api.request('/api/created')).status).toBe(201)
})

test('sends no body for undefined', async () => {
  const response = await api.request('/api/empty')
  expect([response.status, await response.text()]).toEqual([204, ''])
})

test('sends the error of a mutation as a problem', async () => {
  const missing = await api.request('/api/missing')
  expect(missing.status).toBe(404)
  expect(await missing.json()).toMatchObject({
    code: 'not_found',
    detail: 'This thing was deleted.',
  })
  const invalid = await api.request('/api/invalid')
  expect(invalid.status).toBe(422)
  expect(await invalid.json()).toMatchObject({
    code: 'validation_failed',
    errors: [{ field: 'id', message: 'Enter an id.' }],
  })
})

test('hands the authorized scope to the handler', async () => {
  const [user] = await db.database.select().from(users).limit(1)
  if (!user) throw new Error('No user was found.')
  const { token } = await createSession(db.database, user, { ip: '127.0.0.1' }, { by: 'password' })
  const headers = { authorization: `Bearer ${token}` }
  expect(await (await api.request('/api/me', { headers })).json()).toEqual({ email: user.email })
  expect((await api.request('/api/me')).status).toBe(401)
})
