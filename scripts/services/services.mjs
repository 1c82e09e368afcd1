import { say } from '../terminal.mjs'
import { canInstallPackages, installPackage } from './apt.mjs'
import { findChromium } from './chromium.mjs'
import { findPgBouncer } from './pgbouncer.mjs'
import { findPostgres, startPostgres } from './postgres.mjs'
import { findRedis, startRedis } from './redis.mjs'

/**
 * Brings up what the tests run against, or takes what the environment names. Answers with the
 * environment of the tests, the names of what is missing, and the function that ends it all.
 */
export async function startServices({ browser, ci = process.env.CI === 'true' }) {
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
  // Asked for by tests that run on CI alone.
  if (ci) {
    await provide(pgbouncer, (program) => {
      environment.TEST_PGBOUNCER = program
    })
  }
  if (browser) {
    await provide(chromium, (program) => {
      environment.CHROMIUM_PATH = program
    })
  }
  return { environment, missing, end: () => Promise.all(started.map((server) => server.end())) }
}

const postgres = {
  name: 'PostgreSQL',
  package: 'postgresql',
  find: findPostgres,
  without: 'the tests on PostgreSQL are left out',
}
const redis = {
  name: 'Redis',
  package: 'redis-server',
  find: findRedis,
  without: 'the tests on Redis are left out',
}
const pgbouncer = {
  name: 'PgBouncer',
  package: 'pgbouncer',
  find: findPgBouncer,
  without: 'the tests behind a pooler are left out',
}
const chromium = {
  name: 'Chromium',
  package: 'chromium',
  find: findChromium,
  without: 'the tests in the browser are left out',
  installedOutsideCi: true,
}

async function findOrInstall(service, ci) {
  const present = service.find()
  if (present) return present
  if ((ci || service.installedOutsideCi) && canInstallPackages()) {
    await installPackage(service.package)
    const installed = service.find()
    if (installed) return installed
  }
  say(
    `${service.name} is missing: ${ci ? 'CI needs it' : service.without}. On Debian: apt-get install ${service.package}`,
  )
  return undefined
}
