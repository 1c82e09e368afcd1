import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { print } from '../packages/plinth/scripts/terminal.mjs'
import { startCluster } from './database.mjs'
import { findLoadGenerator } from './load.mjs'
import { measureInRounds, medianOf, medianRatio } from './rounds.mjs'
import { seedSessions, writeWrkScript } from './seed-sessions.mjs'
import { secret, startPlinth } from './servers.mjs'
import { printTable, printTargets } from './table.mjs'

const tables = { one: 1, thousand: 1_000, million: 1_000_000 }
/**
 * The tables to compare for each number of requested sessions. Concurrent requests for the same
 * session share one query, so only equal numbers are comparable.
 */
const requestedSessions = { one: ['one', 'million'], thousand: ['thousand', 'million'] }
const caches = ['on', 'off']
const minRatio = 0.9

/** The session check with few sessions in the table and with a million, interleaved in one run. */
export async function benchSessionsFlat(profile) {
  const wrk = await findLoadGenerator()
  const cluster = await startCluster()
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const servers = []
  const subjects = {}
  for (const [table, sessions] of Object.entries(tables)) {
    const database = await cluster.createDatabase(`sessions_${table}`)
    for (const cache of caches) {
      const settings = cache === 'off' ? { SESSION_CACHE: 'off' } : {}
      const server = await startPlinth({
        DATABASE_URL: database,
        AUTH_SECRET: secret,
        ...settings,
      })
      servers.push(server)
      for (const requested of requestedFrom(table)) {
        const script = join(folder, `${requested}-of-${table}.lua`)
        writeWrkScript(script, spread(tables[requested], sessions))
        const url = `${server.origin}/api/auth/session`
        subjects[nameOf({ requested, table, cache })] = { url, script }
      }
    }
    await seedSessions(database, sessions)
  }
  const rounds = await measureInRounds(wrk, subjects, profile)
  for (const server of servers) await server.stop()
  await cluster.stop()
  await rm(folder, { recursive: true })
  report(rounds, Object.keys(subjects))
}

function requestedFrom(table) {
  return Object.keys(requestedSessions).filter((requested) =>
    requestedSessions[requested].includes(table),
  )
}

/** `count` evenly spread numbers from 1 to `max`. */
function spread(count, max) {
  return Array.from({ length: count }, (_, index) => 1 + index * Math.floor(max / count))
}

function nameOf({ requested, table, cache }) {
  return `${requested} of ${table}, cache ${cache}`
}

function report(rounds, names) {
  print('\nSession check by requested sessions and sessions in the table\n')
  printTable(
    ['sessions', 'requests/s', 'p50 ms', 'p99 ms'],
    names.map((name) => [
      name,
      medianOf(rounds, name, 'rate').toFixed(0),
      medianOf(rounds, name, 'p50').toFixed(2),
      medianOf(rounds, name, 'p99').toFixed(2),
    ]),
  )
  print()
  printTargets(
    Object.entries(requestedSessions).flatMap(([requested, [few, many]]) =>
      caches.map((cache) => {
        const [large, small] = [many, few].map((table) => nameOf({ requested, table, cache }))
        const ratio = medianRatio(rounds, large, small)
        return {
          target: `${large} ≥ ${minRatio} × ${requested} of ${few}`,
          measured: `${ratio.toFixed(2)} ×`,
          met: ratio >= minRatio,
        }
      }),
    ),
  )
}
