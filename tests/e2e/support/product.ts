import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allowProduct, type OAuthServer, startOAuthServer } from '../../support/oauth-server'
import { freePort, type Server, startServer } from '../../support/server'

export type ProductWithProviders = {
  url: string
  github: OAuthServer
  google: OAuthServer
  stop(): Promise<void>
}

/** The product on a port and a database of its own, with two real providers beside it. */
export async function startProductWithProviders(): Promise<ProductWithProviders> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  allowProduct(url)
  const github = await startOAuthServer('github')
  const google = await startOAuthServer('google')
  const folder = mkdtempSync(join(tmpdir(), 'plinth-e2e-'))
  const server: Server = await startServer({
    PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: '',
    AUTH_URL: '',
    ...github.settings,
    ...google.settings,
  })
  return {
    url,
    github,
    google,
    async stop() {
      await server.stop()
      await Promise.all([github.stop(), google.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
