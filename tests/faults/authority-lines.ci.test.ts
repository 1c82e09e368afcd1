import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Connection } from '@/core/db/client'
import { openPostgres } from '@/core/db/postgres'
import { findPgBouncer, startPgBouncer } from '../../scripts/services/pgbouncer.mjs'
import { findPostgres, startPostgres } from '../../scripts/services/postgres.mjs'
import { hammer, isHonoured, storeSessions } from '../support/hammer'
import { type Server, startServer } from '../support/server'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const email = 'ada@example.com'
/** A cluster of its own, because it is stopped. */
let postgres: Awaited<ReturnType<typeof startPostgres>>
let pooler: Awaited<ReturnType<typeof startPgBouncer>>
let connection: Connection
const servers: Server[] = []

beforeAll(async () => {
  postgres = await startPostgres(process.env.TEST_POSTGRES_BIN ?? findPostgres())
  pooler = await startPgBouncer(process.env.TEST_PGBOUNCER ?? findPgBouncer(), postgres.url)
  connection = openPostgres({ url: postgres.url, poolSize: 4 })
})

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await connection?.close()
  await pooler?.end()
  await postgres?.end()
})

async function serve(settings: Record<string, string>): Promise<Server> {
  const server = await startServer({ AUTH_SECRET: 'only-for-tests-'.repeat(3), ...settings })
  servers.push(server)
  await connection.database.execute(
    sql`insert into users (email, name) values (${email}, 'Ada') on conflict do nothing`,
  )
  return server
}

/** Ends sessions while they are asked for; how long after that the latest was still honoured. */
async function latestAfterEnd(server: Server, meanwhile = async () => {}): Promise<number> {
  const tokens = await storeSessions(connection.database, email, 20)
  const asking = hammer(server.url, tokens)
  await vi.waitFor(() => expect(asking.honoured.size).toBe(20), { timeout: 30_000 })
  await meanwhile()
  const ended = new Map<string, number>()
  for (const token of tokens) {
    const { rows } = await connection.query(
      `delete from sessions where token_hash = sha256($1) returning id`,
      [Buffer.from(token)],
    )
    expect(rows.length).toBe(1)
    ended.set(token, performance.now())
  }
  await pause(200)
  await asking.stop()
  return Math.max(...[...ended].map(([token, at]) => (asking.honoured.get(token) ?? 0) - at))
}

test.each([
  ['with a direct line beside it', () => postgres.url],
  ['that the line too leads through, so that nothing is ever heard', () => pooler.url],
])('behind a pooler in transaction mode, %s', async (_, direct) => {
  const server = await serve({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: direct() })
  for (let round = 0; round < 5; round += 1) {
    expect(await latestAfterEnd(server)).toBeLessThan(100)
  }
})

test('the line stands and carries nothing: nothing is believed for longer than that', async () => {
  const proxy = await startHoldingProxy(new URL(postgres.url))
  const server = await serve({ DATABASE_URL: postgres.url, DATABASE_DIRECT_URL: proxy.url })
  for (let round = 0; round < 3; round += 1) {
    expect(await latestAfterEnd(server, async () => proxy.hold())).toBeLessThan(100)
    proxy.release()
  }
  proxy.close()
})

/** Passes everything on, until it is told to hold what the database says. */
async function startHoldingProxy(target: URL) {
  const sockets: Socket[] = []
  const proxy = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    sockets.push(client, upstream)
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: url.href,
    hold() {
      for (const socket of sockets) socket.cork()
    },
    release() {
      for (const socket of sockets) socket.uncork()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}

test('the database is restarted: never a stale answer, and remembered again afterwards', async () => {
  const server = await serve({ DATABASE_URL: postgres.url })
  for (let round = 0; round < 3; round += 1) {
    const latest = await latestAfterEnd(server, async () => {
      // The test's own is opened anew: it is not what has to survive this.
      await connection.close()
      await postgres.stop()
      await postgres.start()
      connection = openPostgres({ url: postgres.url, poolSize: 4 })
      await vi.waitFor(() => connection.ping(), { timeout: 20_000 })
    })
    expect(latest).toBeLessThan(100)
  }
  const [token = ''] = await storeSessions(connection.database, email, 1)
  await vi.waitFor(async () => expect(await isHonoured(server.url, token)).toBe(true), {
    timeout: 20_000,
  })
})
