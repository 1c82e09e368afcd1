import { openSync, readFileSync } from 'node:fs'
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
export async function startProduct(database = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const settings = { NODE_ENV: 'production', HOST: '127.0.0.1', DATA_DIR: folder, ...database }
  const server = await start('Plinth', 'dist/server.js', settings, '/api/health')
  return {
    ...server,
    async end() {
      await server.end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function start(name, file, settings, path) {
  const port = String(await freePort())
  const log = openSync(join(tmpdir(), `plinth-bench-${process.pid}-${port}.log`), 'w')
  const { child, exited, end } = startProcess(process.execPath, [file], {
    env: { ...process.env, DATABASE_URL: '', ...settings, PORT: port },
    stdio: ['ignore', log, 'inherit'],
  })
  const url = `http://127.0.0.1:${port}${path}`
  await waitFor(name, { exited }, () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return { url, end, memory: () => residentMegabytes(child.pid) }
}

function residentMegabytes(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
  } catch {
    return Number.NaN
  }
}
