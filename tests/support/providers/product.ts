import { installed } from '@/core/auth/providers/installed'
import { type Product, startProduct } from '../../e2e/support/product'
import { freePort } from '../server'
import { allowProduct, type OAuthServer, startOAuthServer } from './oauth-server'

export type ProductWithProviders = Product & { serverOf(id: string): OAuthServer }

/** The product with a real server beside it for each installed provider. */
export async function startProductWithProviders(): Promise<ProductWithProviders> {
  const port = await freePort()
  allowProduct(`http://127.0.0.1:${port}`)
  const servers = new Map<string, OAuthServer>()
  for (const provider of installed) servers.set(provider.id, await startOAuthServer(provider))
  const settings = [...servers.values()].map((server) => server.settings)
  const product = await startProduct(port, Object.assign({}, ...settings))
  return {
    url: product.url,
    serverOf(id) {
      const server = servers.get(id)
      if (!server) throw new Error(`No server stands in for ${id}.`)
      return server
    },
    async stop() {
      await product.stop()
      await Promise.all([...servers.values()].map((server) => server.stop()))
    },
  }
}
