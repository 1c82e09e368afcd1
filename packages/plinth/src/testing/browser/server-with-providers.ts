import type { InstalledProvider } from '#auth/oauth/provider'
import { type IsolatedServer, startIsolatedServer } from '#testing/browser/servers'
import { allowOrigin, type OAuthServer, startOAuthServer } from '#testing/oauth/oauth-server'
import { freePort } from '#testing/server/server'

export type ServerWithProviders = IsolatedServer & { providerOf(id: string): OAuthServer }

/** The built server and an authorization server for each provider of the app. */
export async function startServerWithProviders(
  installed: readonly InstalledProvider[],
): Promise<ServerWithProviders> {
  const port = await freePort()
  allowOrigin(`http://127.0.0.1:${port}`)
  const providers = new Map<string, OAuthServer>()
  for (const provider of installed) providers.set(provider.id, await startOAuthServer(provider))
  const settings = [...providers.values()].map((provider) => provider.settings)
  const server = await startIsolatedServer(port, Object.assign({}, ...settings))
  return {
    url: server.url,
    outbox: server.outbox,
    providerOf(id) {
      const provider = providers.get(id)
      if (!provider) throw new Error(`No authorization server runs for ${id}.`)
      return provider
    },
    async stop() {
      await server.stop()
      await Promise.all([...providers.values()].map((provider) => provider.stop()))
    },
  }
}
