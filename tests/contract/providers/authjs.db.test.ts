import { describe, expect, test } from 'vitest'
import { installed } from '@/core/auth/providers/installed'
import { newClient } from '../../support/client'
import { testDatabase } from '../../support/database'
import { oauthServers } from '../../support/providers/oauth'

testDatabase()
const { configure } = oauthServers()

test('the providers are those that are set, and the password', async () => {
  const of = (id: string, name: string, type: string) => ({
    id,
    name,
    type,
    signinUrl: `http://localhost:3000/api/auth/signin/${id}`,
    callbackUrl: `http://localhost:3000/api/auth/callback/${id}`,
  })
  const ask = async () => (await newClient().send('/api/auth/providers')).json()
  const set = installed.map(({ id, name, type }) => [id, of(id, name, type)])
  const password = of('credentials', 'Credentials', 'credentials')
  expect(await ask()).toEqual({ ...Object.fromEntries(set), credentials: password })
  const keys = installed.flatMap(({ settings }) => [settings.clientId, settings.clientSecret])
  configure(Object.fromEntries(keys.map((name) => [name, ''])))
  expect(Object.keys(await ask())).toEqual(['credentials'])
})

describe.each(installed)('at the door of $id', ({ id }) => {
  test('a CSRF token may be left out, but one that is sent must be right', async () => {
    const client = newClient()
    const asClient = { 'x-auth-return-redirect': '1' }
    const body = { csrfToken: 'made-up' }
    const refused = await client.post(`/api/auth/signin/${id}`, body, asClient)
    expect(refused.status).toBe(403)
    expect(refused.headers.getSetCookie()).toEqual([])
    body.csrfToken = (await (await client.send('/api/auth/csrf')).json()).csrfToken
    expect((await client.post(`/api/auth/signin/${id}`, body, asClient)).status).toBe(200)
  })
})
