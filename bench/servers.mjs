import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../scripts/ending.mjs'
import { startProcess } from '../scripts/processes.mjs'
import { freePort } from '../scripts/services/port.mjs'
import { waitFor } from '../scripts/services/wait.mjs'

/** Of every server that needs one. */
export const secret = 'only-for-the-benchmark-'.repeat(2)

/** Many are started one beside another, on a machine that may have other things to do. */
const patience = 180_000

export function startBare() {
  return startServer('the bare server', ['bench/bare-server.mjs'], {}, '/')
}

/** The built product, its log in a file: whoever read it from a pipe would be measured too. */
export function startProduct(database = {}) {
  const settings = { HOST: '127.0.0.1', ...database }
  return startServer('Plinth', ['dist/server.js'], settings, '/api/health')
}

/** One process of Node with a free port and a folder of its own, once it answers at `path`. */
export async function startServer(name, args, settings, path) {
  const port = String(await freePort())
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const removeFolder = atEnd(() => rm(folder, { recursive: true, force: true }))
  const log = openSync(join(folder, 'log'), 'w')
  const own = { NODE_ENV: 'production', DATABASE_URL: '', DATA_DIR: folder, PORT: port }
  const { child, exited, end } = startProcess(process.execPath, args, {
    env: { ...process.env, ...own, ...settings },
    stdio: ['ignore', log, 'inherit'],
  })
  let running = true
  exited.then(() => {
    running = false
  })
  const origin = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(origin + path).then(
      ({ ok }) => ok,
      () => false,
    )
  await waitFor(name, { exited }, answers, patience)
  return {
    url: origin + path,
    origin,
    isRunning: () => running,
    memory: () => residentMegabytes(child.pid),
    async end() {
      await end()
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
