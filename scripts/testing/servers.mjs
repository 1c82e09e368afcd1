import { join } from 'node:path'
import { serverBundle } from '../build/bundle-server.mjs'
import { developmentProviders } from '../development-providers.mjs'
import { findProviders, providerSettings } from '../modules/find-providers.mjs'
import { nextBin } from '../paths.mjs'
import { startProcess } from '../processes.mjs'
import { freePort } from '../services/port.mjs'
import { keepOutput, waitFor } from '../services/wait.mjs'

/** The two servers that the browser visits, each with a database of its own. */
export async function startServers(folder) {
  const servers = await Promise.all([
    startServer('The production server', await freePort(4100), {
      args: () => [serverBundle],
      // The tests give themselves addresses, so that one does not use up the tries of another.
      env: () => ({
        NODE_ENV: 'production',
        DATA_DIR: join(folder, 'production'),
        TRUST_PROXY: '1',
      }),
    }),
    startServer('The development server', await freePort(4101), {
      args: (port) => [nextBin, 'dev', '-p', String(port), '-H', '127.0.0.1'],
      env: (port) => ({
        NODE_ENV: 'development',
        DATA_DIR: join(folder, 'development'),
        ...developmentProviders({}, { host: '127.0.0.1', port }),
      }),
    }),
  ])
  const [production, development] = servers.map(({ url }) => url)
  return {
    production,
    development,
    outbox: join(folder, 'production', 'outbox'),
    end: () => Promise.all(servers.map(({ end }) => end())),
  }
}

async function startServer(name, port, { args, env }) {
  const url = `http://127.0.0.1:${port}`
  const server = startProcess(process.execPath, args(port), {
    env: {
      ...process.env,
      ...defaults,
      NEXT_TELEMETRY_DISABLED: '1',
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...env(port),
    },
  })
  const output = keepOutput(server.child)
  await waitFor(name, { exited: server.exited, output }, () => isHealthy(url))
  return { url, end: server.end }
}

// Empty means "not set": a .env beside the sources must not lead the tests to a real database.
const defaults = Object.fromEntries(
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
