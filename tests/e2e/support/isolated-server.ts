import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../../support/server'

export type IsolatedServer = { url: string; outbox: string; stop(): Promise<void> }

/** The built server with its own embedded database. */
export async function startIsolatedServer(
  port: number,
  settings: Record<string, string> = {},
): Promise<IsolatedServer> {
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
    outbox: join(folder, 'outbox'),
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
