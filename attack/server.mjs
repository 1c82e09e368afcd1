import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { findProviders, settingsOf } from '../packages/plinth/scripts/modules/providers.mjs'
import { engineProgram } from '../packages/plinth/scripts/paths.mjs'
import { onShutdown, startProcess } from '../packages/plinth/scripts/processes.mjs'
import {
  captureOutput,
  freePort,
  waitUntilReady,
} from '../packages/plinth/scripts/services/programs.mjs'
import { startProvider } from './support/provider.mjs'

/** The built server with a database of its own, which believes the IP that the attacks report. */
export async function startOwnServer() {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-attack-'))
  const removeFolder = onShutdown(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const logs = []
  const provider = await startProvider()
  const launch = () => start(url, port, { folder, logs, providerUrl: provider.url })
  let running = await launch()
  return {
    url,
    providerUrl: provider.url,
    outbox: join(folder, 'outbox'),
    log: () => logs.flat(),
    get pid() {
      return running.pid
    },
    /** Changes the database while the server is stopped: embedded, it has one user at a time. */
    async changeDatabase(work) {
      await running.stop()
      const database = await PGlite.create(join(folder, 'database'), { extensions: { pg_trgm } })
      await work(database)
      await database.close()
      running = await launch()
    },
    async stop() {
      await running.stop()
      provider.stop()
      await removeFolder()
    },
  }
}

async function start(url, port, { folder, logs, providerUrl }) {
  const settings = {
    ...(await clearedSettings()),
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    LOG_LEVEL: 'warn',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: folder,
    TRUST_PROXY: '1',
    AUTH_GITHUB_ID: 'attack',
    AUTH_GITHUB_SECRET: 'attack',
    AUTH_GITHUB_URL: providerUrl,
  }
  const { child, exited, stop } = startProcess(process.execPath, [engineProgram, 'start'], {
    env: { ...process.env, ...settings },
  })
  const output = captureOutput(child, 1000)
  logs.push(output)
  await waitUntilReady('The server', { exited, output }, () => isHealthy(url))
  return { stop, pid: child.pid }
}

// Empty means "not set": the developer's .env must not connect the attacks to a real database.
async function clearedSettings() {
  return Object.fromEntries(
    [
      'DATABASE_URL',
      'DATABASE_DIRECT_URL',
      'REDIS_URL',
      'AUTH_URL',
      ...(await findProviders()).flatMap(settingsOf),
      'SMTP_URL',
      'SIGN_UP',
      'CORS_ORIGINS',
      'WEB_CONCURRENCY',
    ].map((name) => [name, '']),
  )
}

function isHealthy(url) {
  return fetch(`${url}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}
