import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { print } from '../../packages/plinth/scripts/terminal.mjs'
import { startCluster } from '../database.mjs'
import { connections, findLoadGenerator } from '../load.mjs'
import { installPeers } from '../peers.mjs'
import { measureInRounds, medianOf, medianRatio } from '../rounds.mjs'
import { secret, startPlinth } from '../servers.mjs'
import { printTable, printTargets } from '../table.mjs'
import { preparePages } from './data.mjs'
import { scriptSize } from './script-size.mjs'
import { startSubjects } from './subjects.mjs'

/** The minimum ratios of pages per second within a round. */
const minRatios = [
  { subject: 'users', to: 'bare', min: 0.9 },
  { subject: 'users', to: 'authjs', min: 1.8 },
  { subject: 'rendered', to: 'bare', min: 0.9 },
]
const maxExtraKilobytes = 8

/** The users page compared with pages of the same rows and columns that others render. */
export async function benchPages(profile) {
  const wrk = await findLoadGenerator()
  await installPeers()
  const cluster = await startCluster()
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const database = await cluster.createDatabase('pages')
  const data = await prepare(database)
  const { subjects, origins, stop } = await startSubjects({ database, folder, ...data })
  // A page takes many times as long as an API response.
  const rounds = await measureInRounds(wrk, subjects, { ...profile, seconds: profile.seconds + 2 })
  const scripts = {
    landing: await scriptSize(origins.plinth, '/'),
    empty: await scriptSize(origins.bare, '/empty'),
  }
  await stop()
  await cluster.stop()
  await rm(folder, { recursive: true })
  report(profile, subjects, rounds, scripts)
}

/** Plinth creates the tables when it starts. */
async function prepare(database) {
  const plinth = await startPlinth({ DATABASE_URL: database, AUTH_SECRET: secret })
  const data = await preparePages(database)
  await plinth.stop()
  return data
}

function report(profile, subjects, rounds, { landing, empty }) {
  print(
    `\nPages: medians of ${profile.rounds} interleaved rounds, one process each, ${connections}`,
  )
  print('connections, no compression, the same 25 of 10,000 users in PostgreSQL\n')
  printTable(
    ['', 'pages/s', '× bare Next', '× Auth.js', 'p50 ms', 'p99 ms', 'HTML KB'],
    Object.entries(subjects).map(([name, { label, users, kilobytes }]) => [
      label,
      medianOf(rounds, name, 'rate').toFixed(0),
      users ? medianRatio(rounds, name, 'bare').toFixed(2) : '',
      users ? medianRatio(rounds, name, 'authjs').toFixed(2) : '',
      medianOf(rounds, name, 'p50').toFixed(1),
      medianOf(rounds, name, 'p99').toFixed(1),
      kilobytes.toFixed(1),
    ]),
  )
  print()
  for (const name of ['reactRouter', 'tanstack']) {
    const [hits, rendered] = ['users', 'rendered'].map((subject) =>
      medianRatio(rounds, subject, name).toFixed(2),
    )
    print(`  /admin/users: ${hits} × ${subjects[name].label}, ${rendered} × rendered (no target)`)
  }
  print()
  printTargets([
    ...minRatios.map(({ subject, to, min }) => {
      const ratio = medianRatio(rounds, subject, to)
      return {
        target: `${subjects[subject].label} ≥ ${min} × ${subjects[to].label}`,
        measured: `${ratio.toFixed(2)} ×`,
        met: ratio >= min,
      }
    }),
    {
      target: `JavaScript of / ≤ ${maxExtraKilobytes} KB more than an empty page (${empty.toFixed(1)} KB)`,
      measured: `${(landing - empty).toFixed(1)} KB`,
      met: landing - empty <= maxExtraKilobytes,
    },
  ])
}
