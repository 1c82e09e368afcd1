import { afterAll, beforeAll, beforeEach } from 'vitest'
import { installed } from '@/core/auth/oauth/providers/installed'
import { configure as configureProcess } from '../configure'
import {
  type OAuthServer,
  type ProviderUser,
  privateKey,
  signWith,
  startOAuthServer,
} from './oauth-server'

let users = 0

/** Starts every installed provider for the calling file and configures them before each test. */
export function oauthServers() {
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
