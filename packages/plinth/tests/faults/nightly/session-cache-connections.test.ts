import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Connection } from '#db/client'
import { openPostgres } from '#db/postgres/postgres'
import { nightly } from '#testing/nightly'
import { type Server, startServer } from '#testing/server/server'
import { findPostgres, startPostgres } from '../../../scripts/services/programs.mjs'
import { findPgBouncer, startPgBouncer } from '../../support/services/pgbouncer.mjs'
import { isAccepted, startSessionLoad, storeSessions } from '../../support/session-load'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const email = 'user@example.com'
const rounds = nightly ? 5 : 2
/** Its own cluster, because the tests restart it. */
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
  await pooler?.stop()
  await postgres?.stop()
})

async function start(settings: Record<string, string>): Promise<Server> {
  const server = await startServer({ AUTH_SECRET: 'only-for-tests-'.repeat(3), ...settings })
  servers.push(server)
  await connection.database.execute(
    sql`insert into users (email, name) values (${email}, 'User') on conflict do nothing`,
  )
  return server
}

/** Revokes sessions under load. Returns the ms between a revocation and its last accepted request. */
async function maxAcceptedAfterRevocation(
  server: Server,
  beforeRevocation = async () => {},
): Promise<number> {
  const tokens = await storeSessions(connection.database, email, 20)
  const load = startSessionLoad(server.url, tokens)
  await vi.waitFor(() => expect(load.acceptedAt.size).toBe(20), { timeout: 30_000 })
  await beforeRevocation()
  const revokedAt = new Map<string, number>()
  for (const token of tokens) {
    const { rows } = await connection.query(
      `delete from sessions where token_hash = sha256($1) returning id`,
      [Buffer.from(token)],
    )
    expect(rows.length).toBe(1)
    revokedAt.set(token, performance.now())
  }
  await pause(200)
  await load.stop()
  return Math.max(...[...revokedAt].map(([token, at]) => (load.acceptedAt.get(token) ?? 0) - at))
}

test('rejects revoked sessions behind a pooler in transaction mode', async () => {
  const server = await start({ DATABASE_URL: pooler.url })
  for (let round = 0; round < rounds; round += 1) {
    expect(await maxAcceptedAfterRevocation(server)).toBeLessThan(100)
  }
})

test('rejects revoked sessions while a transaction is left open', async () => {
  const server = await start({ DATABASE_URL: postgres.url })
  await connection.transact(async (execute) => {
    await execute(`update users set name = 'Changed' where email = '${email}'`)
    for (let round = 0; round < rounds; round += 1) {
      expect(await maxAcceptedAfterRevocation(server)).toBeLessThan(100)
    }
  })
})

test('rejects sessions that were revoked while the process was stopped', async () => {
  const server = await start({ DATABASE_URL: postgres.url })
  const tokens = await storeSessions(connection.database, email, 20)
  const load = startSessionLoad(server.url, tokens)
  await vi.waitFor(() => expect(load.acceptedAt.size).toBe(20), { timeout: 30_000 })
  await load.stop()
  server.child.kill('SIGSTOP')
  await connection.query('delete from sessions', [])
  const requests = Promise.all(tokens.map((token) => isAccepted(server.url, token)))
  await pause(200)
  server.child.kill('SIGCONT')
  expect(new Set(await requests)).toEqual(new Set([false]))
})

test('rejects revoked sessions while the connection that reads the change log hangs', async () => {
  const proxy = await startHoldingProxy(new URL(postgres.url))
  const server = await start({ DATABASE_URL: proxy.url })
  for (let round = 0; round < rounds; round += 1) {
    expect(await maxAcceptedAfterRevocation(server, async () => proxy.hold())).toBeLessThan(100)
    proxy.release()
  }
  proxy.close()
})

/** Forwards everything. `hold()` stops what comes back on the connection that reads the change log. */
async function startHoldingProxy(target: URL) {
  const sockets: Socket[] = []
  const readers = new Set<Socket>()
  const proxy = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    sockets.push(client, upstream)
    client.on('data', (sent) => {
      if (sent.includes('change_log')) readers.add(client)
    })
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: url.href,
    hold() {
      expect(readers.size).toBeGreaterThan(0)
      for (const socket of readers) socket.cork()
    },
    release() {
      for (const socket of readers) socket.uncork()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}

test('rejects revoked sessions across a database restart and accepts new ones afterwards', async () => {
  const server = await start({ DATABASE_URL: postgres.url })
  for (let round = 0; round < rounds; round += 1) {
    const latest = await maxAcceptedAfterRevocation(server, async () => {
      // The connection of the test does not survive the restart.
      await connection.close()
      await postgres.crash()
      await postgres.start()
      connection = openPostgres({ url: postgres.url, poolSize: 4 })
      await vi.waitFor(() => connection.ping(), { timeout: 20_000 })
    })
    expect(latest).toBeLessThan(100)
  }
  const [token = ''] = await storeSessions(connection.database, email, 1)
  await vi.waitFor(async () => expect(await isAccepted(server.url, token)).toBe(true), {
    timeout: 20_000,
  })
})
