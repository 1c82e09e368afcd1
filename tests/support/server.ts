import { createServer } from 'node:net'
import { type Running, run } from './program'

export type Server = Running & {
  url: string
  /** The lines of the log so far, as objects. */
  log(): Record<string, unknown>[]
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

/** The built product, as `npm start` runs it, on a port of its own. */
export async function startServer(settings: Record<string, string>): Promise<Server> {
  const server = launchServer({ PORT: String(await freePort()), ...settings })
  await server.waitFor(/ready at /)
  return server
}

/** The same without waiting for it, for starts that are refused. */
export function launchServer(settings: Record<string, string>): Server {
  const { PORT = '3000', HOST = '127.0.0.1' } = settings
  const running = run(process.execPath, ['dist/server.js'], {
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    HOST,
    ...settings,
  })
  return {
    ...running,
    url: `http://127.0.0.1:${PORT}`,
    log: () =>
      running
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line)),
    async stop(signal = 'SIGTERM') {
      running.child.kill(signal)
      return running.ended
    },
  }
}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}
