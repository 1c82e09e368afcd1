import { join } from 'node:path'
import { serverBundle } from '../build/bundle-server.mjs'
import { developmentProviders } from '../development-providers.mjs'
import { findProviders, providerSettings } from '../modules/find-modules.mjs'
import { nextBin } from '../paths.mjs'
import { startProcess } from '../processes.mjs'
import { captureOutput, freePort, waitUntilReady } from '../services/readiness.mjs'

/** The servers of these names for the browser tests, each with its own database. */
export async function startServers(folder, names) {
  const servers = await Promise.all(names.map((name) => start[name](join(folder, name))))
  const url = (name) => servers[names.indexOf(name)]?.url ?? ''
  return {
    production: url('production'),
    development: url('development'),
    outbox: join(folder, 'production', 'outbox'),
    stop: () => Promise.all(servers.map(({ stop }) => stop())),
  }
}

/** The development server compiles what it is asked for, which takes long on a busy machine. */
const timeoutMs = 180_000

const start = {
  production: async (dataFolder) =>
    startServer('The production server', await freePort(4100), {
      args: () => [serverBundle],
      // Each test sends its own client IP, so that tests do not share rate limits.
      env: () => ({ NODE_ENV: 'production', DATA_DIR: dataFolder, TRUST_PROXY: '1' }),
    }),
  development: async (dataFolder) =>
    startServer('The development server', await freePort(4101), {
      args: (port) => [nextBin, 'dev', '-p', String(port), '-H', '127.0.0.1'],
      env: (port) => ({
        NODE_ENV: 'development',
        DATA_DIR: dataFolder,
        ...developmentProviders({}, { host: '127.0.0.1', port }),
      }),
    }),
}

async function startServer(name, port, { args, env }) {
  const url = `http://127.0.0.1:${port}`
  const server = startProcess(process.execPath, args(port), {
    env: {
      ...process.env,
      ...clearedSettings,
      NEXT_TELEMETRY_DISABLED: '1',
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...env(port),
    },
  })
  const output = captureOutput(server.child)
  await waitUntilReady(name, { exited: server.exited, output }, () => isHealthy(url), timeoutMs)
  return { url, stop: server.stop }
}

// Empty means "not set": the developer's .env must not connect the tests to a real database.
const clearedSettings = Object.fromEntries(
  [
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'REDIS_URL',
    'AUTH_URL',
    ...findProviders().flatMap(providerSettings),
    'SMTP_URL',
    'SIGN_UP',
    'CORS_ORIGINS',
  ].map((name) => [name, '']),
)

async function isHealthy(url) {
  try {
    const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(30_000) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}
