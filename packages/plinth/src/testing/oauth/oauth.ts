import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { InstalledProvider } from '#auth/oauth/provider'
import type { newClient } from '#testing/client'
import {
  type OAuthServer,
  type ProviderUser,
  privateKey,
  signWith,
  startOAuthServer,
} from '#testing/oauth/oauth-server'
import { configure as configureProcess } from '#testing/settings'

let users = 0

/** Starts a server for each provider of the app for the calling file, and configures them before each test. */
export function oauthServers(installed: readonly InstalledProvider[]) {
  const servers = new Map<string, OAuthServer>()

  beforeAll(async () => {
    for (const provider of installed) servers.set(provider.id, await startOAuthServer(provider))
  })
  beforeEach(() => {
    for (const server of servers.values()) {
      const forgedSignature = signWith(privateKey)
      Object.assign(server, { forgedClaims: {}, forgedDiscovery: {}, forgedSignature })
    }
    configure({})
  })
  afterAll(async () => {
    for (const server of servers.values()) await server.stop()
  })

  function providerOf(id: string): OAuthServer {
    const server = servers.get(id)
    if (!server) throw new Error(`No authorization server runs for ${id}.`)
    return server
  }

  function configure(more: Record<string, string>) {
    const keys = [...servers.values()].map(({ settings }) => settings)
    configureProcess(Object.assign({}, ...keys, more))
  }

  /** A new user, who signs in at that provider next. */
  function newProviderUser(id: string, more: Partial<ProviderUser> = {}): ProviderUser {
    users += 1
    const user = {
      id: String(1000 + users),
      name: `User ${users}`,
      email: `user-${users}@example.org`,
      verified: true,
      ...more,
    }
    providerOf(id).user = user
    return user
  }

  return { providerOf, configure, newProviderUser }
}

type Client = ReturnType<typeof newClient>

const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }

/** Submits the form of the sign-in page and returns the provider's authorization URL. */
export async function startOAuth(
  client: Client,
  provider: string,
  fields: Record<string, string> = {},
): Promise<URL> {
  const response = await client.send(`/api/auth/signin/${provider}`, {
    method: 'POST',
    headers: form,
    body: new URLSearchParams(fields).toString(),
  })
  if (response.status !== 303) throw new Error(`${response.status}: ${await response.text()}`)
  return new URL(response.headers.get('location') ?? '')
}

/** Follows the redirects of the provider, with its cookies, and returns the callback URL. */
export async function authorizeAtProvider(authorizationUrl: URL): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = authorizationUrl
  for (let step = 0; step < 10; step += 1) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`${url} returned ${response.status}: ${await response.text()}`)
    url = new URL(location, url)
    if (url.pathname.startsWith('/api/auth/callback/')) return url
  }
  throw new Error(`${authorizationUrl} never redirected to the callback.`)
}

export function followCallback(client: Client, callback: URL): Promise<Response> {
  return client.send(`${callback.pathname}${callback.search}`, { headers: { accept: 'text/html' } })
}

/** The whole flow; returns the response of the callback. */
export async function signInWith(
  client: Client,
  provider: string,
  fields?: Record<string, string>,
): Promise<Response> {
  return followCallback(
    client,
    await authorizeAtProvider(await startOAuth(client, provider, fields)),
  )
}
