import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { say } from '../scripts/terminal.mjs'
import { startCluster } from './database.mjs'
import { findLoadGenerator } from './load.mjs'
import { measureInRounds, medianOf, medianRatio } from './rounds.mjs'
import { secret, startProduct } from './servers.mjs'
import { seedSessions, writeTurns } from './sessions.mjs'
import { printAims, printTable } from './table.mjs'

const tables = { one: 1, thousand: 1_000, million: 1_000_000 }
/** Who asks of which table: those who ask together are answered together, so like goes with like. */
const askers = { one: ['one', 'million'], thousand: ['thousand', 'million'] }
const caches = ['on', 'off']
const flat = 0.9

/** Who is signed in, with few sessions in the table and with a million, turn by turn in one run. */
export async function benchSessionsFlat(pace) {
  const wrk = await findLoadGenerator()
  const cluster = await startCluster()
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const servers = []
  const subjects = {}
  for (const [table, sessions] of Object.entries(tables)) {
    const database = await cluster.createDatabase(`sessions_${table}`)
    for (const cache of caches) {
      const settings = cache === 'off' ? { AUTHORITY_CACHE: 'off' } : {}
      const server = await startProduct({
        DATABASE_URL: database,
        AUTH_SECRET: secret,
        ...settings,
      })
      servers.push(server)
      for (const asker of asksOf(table)) {
        const script = join(folder, `${asker}-of-${table}.lua`)
        writeTurns(script, spread(tables[asker], sessions))
        const url = `${server.origin}/api/auth/session`
        subjects[nameOf({ asker, table, cache })] = { url, script }
      }
    }
    await seedSessions(database, sessions)
  }
  const rounds = await measureInRounds(wrk, subjects, pace)
  for (const server of servers) await server.end()
  await cluster.end()
  await rm(folder, { recursive: true })
  report(rounds, Object.keys(subjects))
}

function asksOf(table) {
  return Object.keys(askers).filter((asker) => askers[asker].includes(table))
}

/** So many numbers of all, evenly spread. */
function spread(count, all) {
  return Array.from({ length: count }, (_, index) => 1 + index * Math.floor(all / count))
}

function nameOf({ asker, table, cache }) {
  return `${asker} of ${table}, cache ${cache}`
}

function report(rounds, names) {
  say('\nWho is signed in, by the sessions that are asked for and those in the table\n')
  printTable(
    ['sessions', 'requests/s', 'p50 ms', 'p99 ms'],
    names.map((name) => [
      name,
      medianOf(rounds, name, 'rate').toFixed(0),
      medianOf(rounds, name, 'p50').toFixed(2),
      medianOf(rounds, name, 'p99').toFixed(2),
    ]),
  )
  say()
  printAims(
    Object.entries(askers).flatMap(([asker, [few, many]]) =>
      caches.map((cache) => {
        const [large, small] = [many, few].map((table) => nameOf({ asker, table, cache }))
        const ratio = medianRatio(rounds, large, small)
        return {
          aim: `${large} ≥ ${flat} × ${asker} of ${few}`,
          measured: `${ratio.toFixed(2)} ×`,
          reached: ratio >= flat,
        }
      }),
    ),
  )
}
