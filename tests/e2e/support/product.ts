import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../../support/server'

export type Product = { url: string; stop(): Promise<void> }

/** The product on that port of this machine and a database of its own. */
export async function startProduct(
  port: number,
  settings: Record<string, string> = {},
): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-e2e-'))
  const server = await startServer({
    PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: '',
    AUTH_URL: '',
    ...settings,
  })
  return {
    url: server.url,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
