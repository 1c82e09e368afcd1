import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { verifyIdToken } from '#auth/oauth/provider-fetch'
import { configure } from '#testing/settings'
import { GET, POST } from '@/app/dev/oauth/[provider]/[...path]/route.dev'
import { installed } from '../support/installed-providers'

const ada = { name: 'Ada', email: 'ada@example.org', verified: 'on' }

describe.each(installed)('the development server of $id', (provider) => {
  const { id, settings } = provider
  const base = `http://localhost:3000/dev/oauth/${id}`
  const credentials = { [settings.clientId]: 'development', [settings.clientSecret]: 'secret' }

  beforeEach(() => configure({ ...credentials, [settings.url]: base }))

  async function call(url: string, init: RequestInit = {}): Promise<Response> {
    const path = new URL(url).pathname.split('/').slice(4)
    const context = { params: Promise.resolve({ provider: id, path }) }
    return (init.method === 'POST' ? POST : GET)(new Request(url, init), context)
  }

  async function findEndpoints(): Promise<{ authorization: string; token: string }> {
    if (provider.type === 'oauth') return provider.endpoints(base)
    const found = await (await call(`${base}/.well-known/openid-configuration`)).json()
    return { authorization: found.authorization_endpoint, token: found.token_endpoint }
  }

  const request = {
    client_id: 'development',
    redirect_uri: `http://localhost:3000/api/auth/callback/${id}`,
    state: 'state',
    code_challenge: createHash('sha256').update('verifier').digest('base64url'),
    code_challenge_method: 'S256',
    nonce: 'nonce',
  }

  test('leads to the page where the developer chooses a profile', async () => {
    const { authorization } = await findEndpoints()
    const response = await call(`${authorization}?${new URLSearchParams(request)}`)
    expect(response.headers.get('location')).toBe(
      `${base}/login/oauth/authorize?${new URLSearchParams(request)}`,
    )
  })

  test('returns a profile that the provider can read', async () => {
    const decision = new URLSearchParams({ ...request, ...ada, decision: 'allow' })
    const decided = await call(`${base}/decide`, { method: 'POST', body: decision })
    const callback = new URL(decided.headers.get('location') ?? '')
    expect(callback.searchParams.get('state')).toBe('state')
    const { token } = await findEndpoints()
    const exchanged = await call(token, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('development:secret')}` },
      body: new URLSearchParams({
        code: callback.searchParams.get('code') ?? '',
        redirect_uri: request.redirect_uri,
        code_verifier: 'verifier',
      }),
    })
    const profile = await profileOf(await exchanged.json())
    expect(profile).toEqual({ id: expect.any(String), name: ada.name, email: ada.email })
  })

  test('has no other endpoint', async () => {
    expect((await call(`${base}/nothing`)).status).toBe(404)
    expect((await call(`${base}/nothing`, { method: 'POST' })).status).toBe(404)
  })

  async function profileOf(tokens: { access_token: string; id_token: string }) {
    if (provider.type === 'oidc') {
      const client = { clientId: 'development', clientSecret: 'secret', url: base, origin: '' }
      const fetch: typeof globalThis.fetch = (url) => call(String(url))
      await verifyIdToken({ ...provider, ...client }, tokens.id_token, fetch, Date.now())
      const [, payload = ''] = tokens.id_token.split('.')
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
      expect(claims.nonce).toBe('nonce')
      return provider.profile(claims)
    }
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const fetchJson = async (url: string) => (await call(url, { headers })).json()
    return provider.profile(fetchJson, provider.endpoints(base).userinfo)
  }
})
