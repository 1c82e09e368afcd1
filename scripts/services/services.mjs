import { print } from '../terminal.mjs'
import { canInstallPackages, installPackage } from './apt.mjs'
import { findChromium, findHeadlessShell } from './chromium.mjs'
import { findHaproxy } from './haproxy.mjs'
import { findNginx } from './nginx.mjs'
import { findPgBouncer } from './pgbouncer.mjs'
import { findPostgres, startPostgres } from './postgres.mjs'
import { findRedis, startRedis } from './redis.mjs'

/**
 * Starts the services that the tests need, unless the environment already provides them. Returns the
 * environment for the tests, the names of the missing services and a function that stops them all.
 */
export async function startServices({
  browser,
  ci = process.env.CI === 'true',
  nightly = process.env.NIGHTLY === 'true',
}) {
  const started = []
  const missing = []
  const environment = {}
  const provide = async (service, use) => {
    const program = await findOrInstall(service, ci)
    if (program) await use(program)
    else missing.push(service.name)
  }

  await provide(postgres, async (bin) => {
    environment.TEST_POSTGRES_BIN = bin
    if (process.env.TEST_DATABASE_URL) return
    const server = await startPostgres(bin)
    started.push(server)
    environment.TEST_DATABASE_URL = server.url
  })
  if (!process.env.TEST_REDIS_URL) {
    await provide(redis, async (program) => {
      const server = await startRedis(program)
      started.push(server)
      environment.TEST_REDIS_URL = server.url
    })
  }
  // Used only by tests that run in CI.
  if (ci) {
    await provide(pgbouncer, (program) => {
      environment.TEST_PGBOUNCER = program
    })
    await provide(nginx, (program) => {
      environment.TEST_NGINX = program
    })
  }
  if (nightly) {
    await provide(haproxy, (program) => {
      environment.TEST_HAPROXY = program
    })
  }
  if (browser) {
    if ((ci || !findChromium()) && !findHeadlessShell() && canInstallPackages()) {
      await installPackage('chromium-headless-shell')
    }
    await provide(chromium, (program) => {
      environment.CHROMIUM_PATH = program
    })
  }
  return { environment, missing, stop: () => Promise.all(started.map((server) => server.stop())) }
}

const postgres = {
  name: 'PostgreSQL',
  package: 'postgresql',
  find: findPostgres,
  skipped: 'PostgreSQL tests',
}
const redis = {
  name: 'Redis',
  package: 'redis-server',
  find: findRedis,
  skipped: 'Redis tests',
}
const pgbouncer = {
  name: 'PgBouncer',
  package: 'pgbouncer',
  find: findPgBouncer,
  skipped: 'connection pooler tests',
}
const nginx = {
  name: 'nginx',
  package: 'nginx-light',
  find: findNginx,
  skipped: 'load balancer tests',
}
const haproxy = {
  name: 'HAProxy',
  package: 'haproxy',
  find: findHaproxy,
  skipped: 'load balancer tests',
}
const chromium = {
  name: 'Chromium',
  package: 'chromium',
  find: findChromium,
  skipped: 'browser tests',
  installedOutsideCi: true,
}

async function findOrInstall(service, ci) {
  const found = service.find()
  if (found) return found
  if ((ci || service.installedOutsideCi) && canInstallPackages()) {
    await installPackage(service.package)
    const installed = service.find()
    if (installed) return installed
  }
  print(
    `${service.name} not found: ${ci ? 'required in CI' : `skipping ${service.skipped}`}. To install it on Debian: apt-get install ${service.package}`,
  )
  return undefined
}
