import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { findPostgres } from '../../../packages/plinth/scripts/services/programs.mjs'
import { findRedis } from '../../../packages/plinth/scripts/services/services.mjs'
import { createProject, temporaryFolder } from '../support/project'
import { run } from '../support/run'

const ci = process.env.CI === 'true'
const hasServices = ci || (findPostgres() !== undefined && findRedis() !== undefined)

const startsServices = `import { startServices } from './packages/plinth/scripts/services/services.mjs'
const { environment, missing, stop } = await startServices(['postgres', 'redis'])
process.stdout.write(JSON.stringify({ ...environment, missing }) + '\\n')
process.on('SIGUSR2', stop)
`

test.runIf(hasServices).each([
  { signal: 'SIGUSR2', exitCode: 0 },
  { signal: 'SIGINT', exitCode: 130 },
] as const)('starts PostgreSQL and Redis, and removes both on $signal', async (shutdown) => {
  const temporary = temporaryFolder()
  const project = createProject()
  project.write('services.mjs', startsServices)
  const services = run(project.folder, ['services.mjs'], {
    env: { TMPDIR: worldReadable(temporary), TEST_DATABASE_URL: '', TEST_REDIS_URL: '' },
  })
  await services.prints('\n')
  const environment = JSON.parse(services.output())
  expect(environment.missing).toEqual([])
  expect(existsSync(join(environment.TEST_POSTGRES_BIN, 'initdb'))).toBe(true)
  expect(await queryPostgres(environment.TEST_DATABASE_URL)).toBe('200')
  expect(await pingRedis(environment.TEST_REDIS_URL)).toBe('+PONG')

  services.child.kill(shutdown.signal)
  expect(await services.exitCode).toBe(shutdown.exitCode)
  expect(readdirSync(temporary)).toEqual([])
  await expect(pingRedis(environment.TEST_REDIS_URL)).rejects.toThrow('ECONNREFUSED')
  await expect(queryPostgres(environment.TEST_DATABASE_URL)).rejects.toThrow('ECONNREFUSED')
})

test('uses the services that the environment provides', async () => {
  const project = createProject()
  project.write('services.mjs', startsServices)
  const services = run(project.folder, ['services.mjs'], {
    env: { TEST_DATABASE_URL: 'postgres://somewhere', TEST_REDIS_URL: 'redis://somewhere' },
  })
  expect(await services.exitCode).toBe(0)
  expect(Object.keys(JSON.parse(services.lines().at(-1) ?? ''))).not.toContain('TEST_DATABASE_URL')
})

test.runIf(process.getuid?.() === 0)('installs what is missing, as root on Debian', async () => {
  const project = createProject()
  project.write('services.mjs', startsServices.replace(/\['postgres', 'redis'\]/, "['strace']"))
  const folder = temporaryFolder()
  const program = join(folder, 'strace')
  // Installs the package as a program of its name.
  project.write('apt-get', `#!/bin/sh\n[ "$1" = update ] || /bin/cp "$0" "${folder}/$4"\n`)
  chmodSync(project.path('apt-get'), 0o755)
  const services = run(project.folder, ['services.mjs'], {
    env: { PATH: `${folder}:${project.folder}`, CI: '' },
  })
  expect(await services.exitCode).toBe(0)
  expect(services.output()).toContain('Installing strace: done')
  expect(JSON.parse(services.lines().at(-1) ?? '')).toEqual({ TEST_STRACE: program, missing: [] })
})

async function queryPostgres(url: string) {
  const sql = postgres(url, { max: 1, connect_timeout: 5 })
  try {
    const [row] = await sql`show max_connections`
    return row?.max_connections
  } finally {
    await sql.end()
  }
}

async function pingRedis(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write('PING\r\n')
    const [reply] = await once(socket, 'data')
    return String(reply).trim()
  } finally {
    socket.destroy()
  }
}

/** If the tests run as root, PostgreSQL runs as another user. */
function worldReadable(folder: string) {
  chmodSync(folder, 0o777)
  return folder
}
