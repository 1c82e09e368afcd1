import { join } from 'node:path'
import { findProviders, settingsOf } from '../../packages/plinth/scripts/modules/providers.mjs'
import { startProcess } from '../../packages/plinth/scripts/processes.mjs'
import { captureOutput, waitUntilReady } from '../../packages/plinth/scripts/services/programs.mjs'

/** One place behind the load balancer. The build that runs there can be exchanged. */
export function createInstance({ name, port, folder, settings }) {
  const url = `http://127.0.0.1:${port}`
  const logs = []
  let running
  return {
    name,
    url,
    get pid() {
      return running.child.pid
    },
    get build() {
      return running.build
    },
    log: () => logs.flat(),
    async start(build) {
      const { child, exited, stop } = startProcess(
        process.execPath,
        ['node_modules/plinth', 'start'],
        {
          cwd: build.folder,
          env: {
            ...process.env,
            ...(await clearedSettings()),
            ...settings,
            NODE_ENV: 'production',
            NEXT_TELEMETRY_DISABLED: '1',
            LOG_LEVEL: 'warn',
            HOST: '127.0.0.1',
            PORT: String(port),
            DATA_DIR: join(folder, name),
            TRUST_PROXY: '1',
          },
        },
      )
      const output = captureOutput(child, 500)
      logs.push(output)
      running = { child, exited, stop, build }
      await waitUntilReady(`Instance ${name}`, { exited, output }, () => isReady(url))
    },
    /** SIGTERM to the first process only, which drains; resolves with its exit code. */
    async stop() {
      running.child.kill('SIGTERM')
      return (await running.exited).code
    },
  }
}

// Empty means "not set": the developer's .env must not connect the instances to a real database.
async function clearedSettings() {
  return Object.fromEntries(
    [
      'DATABASE_DIRECT_URL',
      'REDIS_URL',
      ...(await findProviders()).flatMap(settingsOf),
      'SMTP_URL',
      'SIGN_UP',
      'CORS_ORIGINS',
      'WEB_CONCURRENCY',
    ].map((name) => [name, '']),
  )
}

async function isReady(url) {
  try {
    const response = await fetch(`${url}/api/health/ready`, { signal: AbortSignal.timeout(5_000) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}
