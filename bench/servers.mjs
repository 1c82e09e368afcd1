import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineProgram, root } from '../packages/plinth/scripts/paths.mjs'
import { onShutdown, startProcess } from '../packages/plinth/scripts/processes.mjs'
import { freePort, waitUntilReady } from '../packages/plinth/scripts/services/programs.mjs'

export const secret = 'only-for-the-benchmark-'.repeat(2)

/** Long, because many servers start next to each other. */
const startTimeoutMs = 180_000

export function startBareServer({ nodeArgs = [], ...options } = {}) {
  const args = [...nodeArgs, 'bench/bare-server.mjs']
  return startServer('The bare server', args, {}, '/', options)
}

/** The production build. Its log goes to a file, because reading a pipe would affect the result. */
export function startPlinth(overrides = {}, { nodeArgs = [], ...options } = {}) {
  const settings = { HOST: '127.0.0.1', ...overrides }
  return startServer(
    'Plinth',
    [...nodeArgs, engineProgram, 'start'],
    settings,
    '/api/health',
    options,
  )
}

/** Starts a Node process with a free port and its own folder, and waits until `path` returns 2xx. */
export async function startServer(
  name,
  args,
  settings,
  path,
  { node = process.execPath, cwd = root, logErrors = false } = {},
) {
  const port = String(await freePort())
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const removeFolder = onShutdown(() => rm(folder, { recursive: true, force: true }))
  const log = openSync(join(folder, 'log'), 'w')
  const defaults = { NODE_ENV: 'production', DATABASE_URL: '', DATA_DIR: folder, PORT: port }
  const { child, exited, stop } = startProcess(node, args, {
    cwd,
    env: { ...process.env, ...defaults, ...settings },
    stdio: ['ignore', log, logErrors ? log : 'inherit'],
  })
  let running = true
  exited.then(() => {
    running = false
  })
  const origin = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(origin + path).then(
      ({ ok }) => ok,
      () => false,
    )
  await waitUntilReady(name, { exited }, isReady, startTimeoutMs)
  return {
    url: origin + path,
    origin,
    pid: child.pid,
    isRunning: () => running,
    memory: () => residentMegabytes(child.pid),
    cpuMs: () => cpuMilliseconds(child.pid),
    async stop() {
      await stop()
      closeSync(log)
      await removeFolder()
    },
  }
}

function residentMegabytes(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
  } catch {
    return Number.NaN
  }
}

/** The CPU time of all threads. Linux counts in hundredths of a second. */
function cpuMilliseconds(pid) {
  try {
    const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [user, system] = fields.split(' ').slice(11, 13)
    return 10 * (Number(user) + Number(system))
  } catch {
    return Number.NaN
  }
}
