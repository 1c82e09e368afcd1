import { describe, expect, test } from 'vitest'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'
import { oauthServers } from '#testing/oauth/oauth'
import { installed } from '../../support/installed-providers'

testDatabase()
const { configure } = oauthServers(installed)

test('lists the configured providers and the password', async () => {
  const entry = (id: string, name: string, type: string) => ({
    id,
    name,
    type,
    signinUrl: `http://localhost:3000/api/auth/signin/${id}`,
    callbackUrl: `http://localhost:3000/api/auth/callback/${id}`,
  })
  const list = async () => (await newClient().send('/api/auth/providers')).json()
  const configured = installed.map(({ id, name, type }) => [id, entry(id, name, type)])
  const password = entry('credentials', 'Credentials', 'credentials')
  expect(await list()).toEqual({ ...Object.fromEntries(configured), credentials: password })
  const keys = installed.flatMap(({ settings }) => [settings.clientId, settings.clientSecret])
  configure(Object.fromEntries(keys.map((name) => [name, ''])))
  expect(Object.keys(await list())).toEqual(['credentials'])
})

describe.each(installed)('sign-in with $id', ({ id }) => {
  test('needs no CSRF token, but rejects an invalid one', async () => {
    const client = newClient()
    const authJsClient = { 'x-auth-return-redirect': '1' }
    const body = { csrfToken: 'invalid' }
    const rejected = await client.post(`/api/auth/signin/${id}`, body, authJsClient)
    expect(rejected.status).toBe(403)
    expect(rejected.headers.getSetCookie()).toEqual([])
    body.csrfToken = (await (await client.send('/api/auth/csrf')).json()).csrfToken
    expect((await client.post(`/api/auth/signin/${id}`, body, authJsClient)).status).toBe(200)
  })
})
