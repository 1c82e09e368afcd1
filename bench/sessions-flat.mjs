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

const many = 1_000_000
const inUse = 1000
const flat = 0.9

/** Who is signed in, with one session in the table and with a million, turn by turn in one run. */
export async function benchSessionsFlat(pace) {
  const wrk = await findLoadGenerator()
  const cluster = await startCluster()
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const servers = []
  const subjects = {}
  for (const [size, count] of Object.entries({ one: 1, million: many })) {
    const database = await cluster.createDatabase(`sessions_${size}`)
    const script = join(folder, `${size}.lua`)
    const asked = Math.min(count, inUse)
    writeTurns(
      script,
      Array.from({ length: asked }, (_, index) => 1 + index * Math.floor(count / asked)),
    )
    for (const cache of ['on', 'off']) {
      const settings = cache === 'off' ? { AUTHORITY_CACHE: 'off' } : {}
      const server = await startProduct({
        DATABASE_URL: database,
        AUTH_SECRET: secret,
        ...settings,
      })
      servers.push(server)
      subjects[`${size}, cache ${cache}`] = { url: `${server.origin}/api/auth/session`, script }
    }
    await seedSessions(database, count)
  }
  const rounds = await measureInRounds(wrk, subjects, pace)
  for (const server of servers) await server.end()
  await cluster.end()
  await rm(folder, { recursive: true })
  report(rounds, Object.keys(subjects))
}

function report(rounds, names) {
  say(`\nWho is signed in, by the sessions in the table; of the million ${inUse} are in use\n`)
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
    ['on', 'off'].map((cache) => {
      const ratio = medianRatio(rounds, `million, cache ${cache}`, `one, cache ${cache}`)
      return {
        aim: `a million ≥ ${flat} × one, cache ${cache}`,
        measured: `${ratio.toFixed(2)} ×`,
        reached: ratio >= flat,
      }
    }),
  )
}
