import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { type RunningProgram, run } from '#testing/program'
import { engineCommand } from '#testing/server/engine-command'

export type Server = RunningProgram & {
  url: string
  /** The parsed lines of the log so far. */
  log(): Record<string, unknown>[]
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

/** Starts the built server as `npm start` does, on a free port. */
export async function startServer(settings: Record<string, string>): Promise<Server> {
  const server = launchServer({ PORT: String(await freePort()), ...settings })
  await server.waitFor(/ready at /)
  return server
}

/** Does not wait until the server is ready: for starts that fail. */
export function launchServer(settings: Record<string, string>): Server {
  const { PORT = '3000', HOST = '127.0.0.1' } = settings
  const [program = '', ...args] = serverCommand()
  const running = run(program, args, {
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
      return running.exited
    },
  }
}

/** With TEST_SERVER_COMMAND, a list in JSON, another build is tested, such as that of an image. */
function serverCommand(): string[] {
  const { TEST_SERVER_COMMAND } = process.env
  if (TEST_SERVER_COMMAND) return JSON.parse(TEST_SERVER_COMMAND)
  const [program, args] = engineCommand('start')
  return [program, ...args]
}

/** Outside of the range of outgoing connections, one of which could take it before the server does. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000)
  return (await isFree(port)) ? port : freePort()
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
