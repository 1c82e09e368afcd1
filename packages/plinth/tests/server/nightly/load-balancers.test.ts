import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Connection, closeConnection } from '#db/client'
import { openPostgres } from '#db/postgres/postgres'
import { administer, databaseUrl } from '#testing/database/postgres-server'
import { freePort, type Server, startServer } from '#testing/server/server'
import { startRequestLoad } from '../../support/request-load'
import { findHaproxy, startHaproxy } from '../../support/services/haproxy.mjs'
import { findNginx, startNginx } from '../../support/services/nginx.mjs'
import { storeSessions } from '../../support/session-load'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const document = readFileSync('packages/plinth/docs/deploying.md', 'utf8')
const email = 'user@example.com'
const name = `plinth_test_${randomBytes(6).toString('hex')}`
const instances: Server[] = []
let ports: number[]
let connection: Connection
let token = ''

beforeAll(async () => {
  await administer(`create database ${name}`)
  ports = [await freePort(), await freePort()]
  for (const port of ports) instances.push(await startInstance(port))
  connection = openPostgres({ url: databaseUrl(name), poolSize: 2 })
  await connection.database.execute(sql`insert into users (email, name) values (${email}, 'User')`)
  token = (await storeSessions(connection.database, email, 1))[0] ?? ''
})

afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop('SIGKILL')))
  await connection?.close()
  await closeConnection()
  await administer(`drop database if exists ${name} with (force)`)
})

function startInstance(port: number): Promise<Server> {
  return startServer({
    PORT: String(port),
    DATABASE_URL: databaseUrl(name),
    AUTH_SECRET: 'only-for-tests-'.repeat(3),
    TRUST_PROXY: '1',
    SHUTDOWN_DELAY_MS: /`SHUTDOWN_DELAY_MS=(\d+)`/.exec(document)?.[1] ?? '',
  })
}

/** The configuration of the document, with the ports of this test. */
function documented(language: string, port: number): string {
  const block = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(document)?.[1] ?? ''
  expect(block).toContain('127.0.0.1:3001')
  return block
    .replace('127.0.0.1:3001', `127.0.0.1:${ports[0]}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${ports[1]}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('bind :80', `bind 127.0.0.1:${port}`)
}

test.each([
  [
    'nginx',
    (port: number) =>
      startNginx(process.env.TEST_NGINX ?? findNginx(), documented('nginx', port), port),
  ],
  [
    'HAProxy',
    (port: number) =>
      startHaproxy(process.env.TEST_HAPROXY ?? findHaproxy(), documented('haproxy', port), port),
  ],
])('restarting both instances behind %s loses no request', async (balancerName, start) => {
  const port = await freePort()
  const balancer = await start(port)
  const load = startRequestLoad(`http://127.0.0.1:${port}`, token)
  await vi.waitFor(() => expect(load.count()).toBeGreaterThan(100), 60_000)
  for (const [index, instance] of instances.entries()) {
    expect(await instance.stop()).toBe(0)
    instances[index] = await startInstance(ports[index] ?? 0)
    const restarted = load.count()
    await vi.waitFor(() => expect(load.count()).toBeGreaterThan(restarted + 100), 60_000)
  }
  await load.stop()
  await balancer.stop()
  process.stdout.write(`${balancerName}: ${load.count()} requests\n`)
  expect(load.failures).toEqual([])
  expect(load.count()).toBeGreaterThan(500)
})
