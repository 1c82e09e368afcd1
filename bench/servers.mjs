import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '../scripts/processes.mjs'
import { freePort } from '../scripts/services/port.mjs'
import { waitFor } from '../scripts/services/wait.mjs'

export function startBare() {
  return start('the bare server', 'bench/bare-server.mjs', {}, '/')
}

/** The built product, its log in a file: whoever read it from a pipe would be measured too. */
export function startProduct(database = {}) {
  const settings = { NODE_ENV: 'production', HOST: '127.0.0.1', ...database }
  return start('Plinth', 'dist/server.js', settings, '/api/health')
}

async function start(name, file, settings, path) {
  const port = String(await freePort())
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const log = openSync(join(folder, 'log'), 'w')
  const { child, exited, end } = startProcess(process.execPath, [file], {
    env: { ...process.env, DATABASE_URL: '', DATA_DIR: folder, ...settings, PORT: port },
    stdio: ['ignore', log, 'inherit'],
  })
  const url = `http://127.0.0.1:${port}${path}`
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
  await waitFor(name, { exited }, answers)
  return {
    url,
    memory: () => residentMegabytes(child.pid),
    async end() {
      await end()
      closeSync(log)
      await rm(folder, { recursive: true, force: true })
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
