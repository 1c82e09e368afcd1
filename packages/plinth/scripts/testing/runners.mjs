import { readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { developmentProviders, findProviders, settingsOf } from '../modules/providers.mjs'
import { engineProgram, inRoot, inScripts, nextBin } from '../paths.mjs'
import { runAttached, startProcess } from '../processes.mjs'
import { captureOutput, freePort, waitUntilReady } from '../services/programs.mjs'
import { print } from '../terminal.mjs'
import { isDevelopmentSpec, testFiles } from './selected-files.mjs'
import { failure, readReport } from './summary.mjs'

const memory = '/dev/shm'
const gibibyte = 1024 ** 3

/**
 * Tests create and remove thousands of small files: databases, apps. On some disks the removal of one
 * database takes a second. Where Linux has a large folder in memory, temporary files go there.
 */
export async function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR) return
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  if (!allowsPrograms(mounts)) return
  const { bavail, bsize } = await statfs(memory)
  if (bavail * bsize >= 4 * gibibyte) process.env.TMPDIR = memory
}

/** Containers often forbid it there, and tests install packages with programs. */
export function allowsPrograms(mounts) {
  const fields = mounts.split('\n').map((line) => line.split(' '))
  const options = fields.findLast(([, path]) => path === memory)?.[3]
  return options !== undefined && !options.split(',').includes('noexec')
}

export async function runVitest(folder, args, environment) {
  const report = join(folder, 'vitest.json')
  const { code } = await runAttached(
    process.execPath,
    [
      inRoot('node_modules', 'vitest', 'vitest.mjs'),
      'run',
      `--reporter=${reporter('vitest')}`,
      ...args,
    ],
    { env: { ...process.env, ...environment, TEST_REPORT: report } },
  )
  return readReport(report, 'Vitest', code)
}

function reporter(runner) {
  return inScripts('testing', `${runner}-reporter.mjs`)
}

/** Longer than any test with its hooks. */
const silenceTimeoutMs = 180_000

/**
 * On Node 20 a Playwright worker can deadlock while it loads a test: Node waits for its module hooks
 * thread, and Playwright, whose timeouts run in that worker, waits with it. No test has failed and
 * none will, so the run is repeated once.
 */
export async function runPlaywright(folder, environment, args) {
  const first = await attempt(join(folder, 'first'), environment, args)
  if (!first.stuck) return first.result
  print('Playwright ended no test for three minutes. Stopped it; running all browser tests again.')
  const second = await attempt(join(folder, 'second'), environment, args)
  return second.result
}

/** Without files among the arguments it runs all. */
async function attempt(folder, environment, args) {
  const report = join(folder, 'playwright.json')
  const servers = await startServers(
    folder,
    await serversFor(args, { ...process.env, ...environment }),
  )
  try {
    const { code, stuck } = await runUnlessStuck(
      {
        ...process.env,
        ...environment,
        E2E_BASE_URL: servers.production,
        E2E_DEV_BASE_URL: servers.development,
        E2E_OUTBOX: servers.outbox,
        TEST_REPORT: report,
      },
      args,
    )
    if (stuck) return { stuck, result: failure('Playwright got stuck') }
    return { stuck, result: await readReport(report, 'Playwright', code) }
  } finally {
    await servers.stop()
  }
}

/** The development server takes long to start, and is not always needed. */
async function serversFor(args, { CI, NIGHTLY }) {
  const named = args.filter((arg) => /\.spec\.ts(:\d+)?$/.test(arg))
  const files = named.length > 0 ? named : await testFiles()
  const leftOut = [
    ...(CI === 'true' ? [] : ['/slow/']),
    ...(NIGHTLY === 'true' ? [] : ['/nightly/']),
  ]
  const specs = files.filter(
    (file) => /\.spec\.ts/.test(file) && !leftOut.some((folder) => file.includes(folder)),
  )
  const development = specs.filter(isDevelopmentSpec)
  return [
    ...(development.length < specs.length ? ['production'] : []),
    ...(development.length > 0 ? ['development'] : []),
  ]
}

async function runUnlessStuck(env, args) {
  const cli = inRoot('node_modules', '@playwright', 'test', 'cli.js')
  const { child, exited, stop } = startProcess(
    process.execPath,
    [cli, 'test', `--reporter=${reporter('playwright')}`, ...args.map(asPattern)],
    { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  let stuck = false
  const stopStuckRun = () => {
    stuck = true
    stop()
  }
  let timer = setTimeout(stopStuckRun, silenceTimeoutMs)
  child.on('message', () => {
    clearTimeout(timer)
    timer = setTimeout(stopStuckRun, silenceTimeoutMs)
  })
  const { code } = await exited
  clearTimeout(timer)
  return { code, stuck }
}

/** Playwright takes regular expressions, and the folders of modules have parentheses. */
function asPattern(arg) {
  return arg.startsWith('-') ? arg : arg.replaceAll(/[()[\]]/g, '.')
}

/** The servers of these names for the browser tests, each with its own database. */
async function startServers(folder, names) {
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
  production: async (dataFolder) => {
    // Compiled with the engine, which an installation may not have done yet when this file is loaded.
    const { copyMigratedDatabase } = await import('#testing/database/test-databases')
    await copyMigratedDatabase(dataFolder)
    return startServer('The production server', await freePort(), {
      args: () => [engineProgram, 'start'],
      // Each test sends its own client IP, so that tests do not share rate limits. Every page exists.
      env: () => ({
        NODE_ENV: 'production',
        DATA_DIR: dataFolder,
        TRUST_PROXY: '1',
        SIGN_IN_LINK: 'on',
      }),
    })
  },
  development: async (dataFolder) =>
    startServer('The development server', await freePort(), {
      args: (port) => [nextBin, 'dev', '-p', String(port), '-H', '127.0.0.1'],
      env: async (port) => ({
        NODE_ENV: 'development',
        DATA_DIR: dataFolder,
        ...(await developmentProviders({}, { host: '127.0.0.1', port })),
      }),
    }),
}

async function startServer(name, port, { args, env }) {
  const url = `http://127.0.0.1:${port}`
  const server = startProcess(process.execPath, args(port), {
    env: {
      ...process.env,
      ...(await clearedSettings()),
      NEXT_TELEMETRY_DISABLED: '1',
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...(await env(port)),
    },
  })
  const output = captureOutput(server.child)
  await waitUntilReady(name, { exited: server.exited, output }, () => isHealthy(url), timeoutMs)
  return { url, stop: server.stop }
}

// Empty means "not set": the developer's .env must not connect the tests to a real database.
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
    ].map((name) => [name, '']),
  )
}

async function isHealthy(url) {
  try {
    const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(30_000) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}
