import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { startProcess } from '../processes.mjs'
import { print } from '../terminal.mjs'
import {
  canInstallPackages,
  captureOutput,
  findChromium,
  findHeadlessShell,
  findPostgres,
  findProgram,
  freePort,
  installPackage,
  startPostgres,
  waitUntilReady,
} from './programs.mjs'

/** The services that the tests of a run need. */
export function allServices({
  ci = process.env.CI === 'true',
  nightly = process.env.NIGHTLY === 'true',
} = {}) {
  return [
    'postgres',
    'redis',
    // Used only by tests that run in CI.
    ...(ci ? ['pgbouncer', 'nginx', 'haproxy', 'prometheus'] : []),
    ...(nightly ? ['strace'] : []),
    'chromium',
  ]
}

/**
 * Starts the services of these names, unless the environment already provides them. Returns the
 * environment for the tests, the names of the missing services and a function that stops them all.
 */
export async function startServices(names, ci = process.env.CI === 'true') {
  const started = []
  const missing = []
  const environment = {}
  for (const name of names) {
    const service = services[name]
    const program = service.isProvided?.() ? undefined : await findOrInstall(service, ci)
    if (program) Object.assign(environment, await service.use(program, started))
    else if (!service.isProvided?.()) missing.push(service.name)
  }
  return { environment, missing, stop: () => Promise.all(started.map((server) => server.stop())) }
}

const folders = ['/usr/sbin', '/opt/homebrew/bin', '/usr/local/bin']

const services = {
  postgres: {
    name: 'PostgreSQL',
    package: 'postgresql',
    find: findPostgres,
    skipped: 'PostgreSQL tests',
    async use(bin, started) {
      if (process.env.TEST_DATABASE_URL) return { TEST_POSTGRES_BIN: bin }
      const server = await startPostgres(bin)
      started.push(server)
      return { TEST_POSTGRES_BIN: bin, TEST_DATABASE_URL: server.url }
    },
  },
  redis: {
    name: 'Redis',
    package: 'redis-server',
    find: findRedis,
    skipped: 'Redis tests',
    isProvided: () => Boolean(process.env.TEST_REDIS_URL),
    async use(program, started) {
      const server = await startRedis(program)
      started.push(server)
      return { TEST_REDIS_URL: server.url }
    },
  },
  pgbouncer: {
    name: 'PgBouncer',
    package: 'pgbouncer',
    find: () => findProgram('pgbouncer', folders),
    skipped: 'connection pooler tests',
    use: (program) => ({ TEST_PGBOUNCER: program }),
  },
  nginx: {
    name: 'nginx',
    package: 'nginx-light',
    find: () => findProgram('nginx', folders),
    skipped: 'load balancer tests',
    use: (program) => ({ TEST_NGINX: program }),
  },
  haproxy: {
    name: 'HAProxy',
    package: 'haproxy',
    find: () => findProgram('haproxy', folders),
    skipped: 'load balancer tests',
    use: (program) => ({ TEST_HAPROXY: program }),
  },
  strace: {
    name: 'strace',
    package: 'strace',
    find: () => findProgram('strace'),
    skipped: 'system call tests',
    use: (program) => ({ TEST_STRACE: program }),
  },
  prometheus: {
    name: 'Prometheus',
    package: 'prometheus',
    find: () => findProgram('prometheus', folders),
    skipped: 'metrics tests',
    use: (program) => ({ TEST_PROMETHEUS: program }),
  },
  chromium: {
    name: 'Chromium',
    package: 'chromium',
    find: findChromium,
    skipped: 'browser tests',
    use: (program) => ({ CHROMIUM_PATH: program }),
  },
}

async function findOrInstall(service, ci) {
  const isChromium = service === services.chromium
  if (isChromium && (ci || !findChromium()) && !findHeadlessShell() && canInstallPackages()) {
    await installPackage('chromium-headless-shell')
  }
  const found = service.find()
  if (found) return found
  if (canInstallPackages()) {
    await installPackage(service.package)
    const installed = service.find()
    if (installed) return installed
  }
  print(
    `${service.name} not found: ${ci ? 'required in CI' : `skipping ${service.skipped}`}. To install it on Debian: apt-get install ${service.package}`,
  )
  return undefined
}

export function findRedis() {
  return findProgram('redis-server', ['/usr/bin', '/opt/homebrew/bin', '/usr/local/bin'])
}

/** Starts a Redis without persistence. */
export async function startRedis(program) {
  const port = await freePort()
  const memoryOnly = ['--save', '', '--appendonly', 'no']
  const server = startProcess(
    program,
    ['--port', String(port), '--bind', '127.0.0.1', ...memoryOnly],
    { cwd: tmpdir() },
  )
  const output = captureOutput(server.child)
  await waitUntilReady('Redis', { exited: server.exited, output }, () => isReady(port))
  const signal = (name) => server.child.kill(name)
  return { url: `redis://127.0.0.1:${port}`, signal, stop: server.stop }
}

async function isReady(port) {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write('PING\r\n')
    const [reply] = await once(socket, 'data')
    return reply.toString().startsWith('+PONG')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
