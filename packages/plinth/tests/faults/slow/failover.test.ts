import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Connection } from '#db/client'
import { openPostgres } from '#db/postgres/postgres'
import { checkHosts } from '#doctor/checks/database'
import { findPostgres } from '../../../scripts/services/programs.mjs'
import { startWrites } from '../../support/acknowledged-writes'
import { startPostgresPair } from '../../support/services/postgres-pair.mjs'
import { signalPostgres } from '../../support/services/signal-postgres.mjs'

let pair: Awaited<ReturnType<typeof startPostgresPair>>
let connection: Connection
let url: string

beforeAll(async () => {
  pair = await startPostgresPair(process.env.TEST_POSTGRES_BIN ?? findPostgres())
  const { primary, standby } = pair
  url = primary.url.replace(String(primary.port), `${standby.port},127.0.0.1:${primary.port}`)
  connection = openPostgres({ url, poolSize: 4, timeoutMs: 1_500 })
})

afterAll(async () => {
  await connection?.close()
  await pair?.stop()
})

const selectPort = 'select inet_server_port() as port'

/** The server behind the pool, the session connection, background work and migrations. */
async function ports(): Promise<Set<number>> {
  const { query, queryPipelined, background, transact } = connection
  const results = await Promise.all([
    ...[1, 2, 3, 4].map(() => query(`${selectPort}, pg_sleep(0.05)`, [])),
    queryPipelined(selectPort, []),
    background.execute(selectPort).then((rows) => ({ rows: rows as unknown as unknown[] })),
    transact((execute) => execute(selectPort)).then((rows) => ({ rows })),
  ])
  return new Set(results.flatMap(({ rows }) => rows.map((row) => (row as { port: number }).port)))
}

/** The findings of the doctor about the hosts. */
async function diagnose(): Promise<string[]> {
  const findings = await checkHosts(url)
  const name = (text: string) =>
    text
      .replaceAll(`127.0.0.1:${pair.primary.port}`, 'former')
      .replaceAll(`127.0.0.1:${pair.standby.port}`, 'new')
  return findings.map(({ level, message }) => `${level}: ${name(message)}`)
}

test('leaves a silent primary for the promoted standby, and never returns to it', async () => {
  await connection.query('create table kept (number int)', [])
  expect(await ports()).toEqual(new Set([pair.primary.port]))
  expect(await diagnose()).toEqual(['ok: new takes no writes.', 'ok: former takes writes.'])
  const writes = startWrites(connection, 4)
  await writes.next()

  pair.pausePrimary()
  await pair.promote()
  const promotedAt = performance.now()
  await writes.next()
  const foundAfterMs = performance.now() - promotedAt
  expect(foundAfterMs).toBeLessThan(5_000)
  expect(await ports()).toEqual(new Set([pair.standby.port]))

  // It wakes up and still takes itself for the primary, and the new one falls silent.
  pair.resumePrimary()
  const former = postgres(pair.primary.url, { max: 1, onnotice: () => {} })
  expect(await former`select pg_is_in_recovery() as standby`).toEqual([{ standby: false }])
  await former.end({ timeout: 1 })
  const severalWriters = expect.stringMatching(/^error: Several hosts take writes: /)
  expect(await diagnose()).toContainEqual(severalWriters)
  signalPostgres(pair.standby.pid, 'SIGSTOP')
  const attempts = [1, 2].map(async () => {
    await expect(connection.ping()).rejects.toThrow()
    await expect(connection.query(selectPort, [])).rejects.toThrow()
  })
  const [unanswered] = await diagnose()
  expect(unanswered).toMatch(/^warning: new: the database is unavailable \(/)
  await Promise.all(attempts)
  signalPostgres(pair.standby.pid, 'SIGCONT')
  await writes.next()
  expect(await ports()).toEqual(new Set([pair.standby.port]))
  await writes.stop()
  expect(writes.longestMs).toBeLessThan(2_500)

  const { rows } = await connection.query('select number from kept', [])
  const kept = new Set(rows.map((row) => (row as { number: number }).number))
  expect(writes.numbers.length).toBeGreaterThan(0)
  expect(writes.numbers.filter((number) => !kept.has(number))).toEqual([])
})
