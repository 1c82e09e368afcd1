import { mkdirSync, writeFileSync } from 'node:fs'
import { findPostgres, startPostgres } from '../packages/plinth/scripts/services/programs.mjs'
import { print } from '../packages/plinth/scripts/terminal.mjs'
import { connections, findLoadGenerator } from './load.mjs'
import { measureInRounds, medianOf, medianRatio } from './rounds.mjs'
import { secret, startBareServer, startPlinth } from './servers.mjs'

/** `GET /api/health` compared with a bare server, interleaved in one run. */
export async function benchHealth(profile) {
  const wrk = await findLoadGenerator()
  const results = { embedded: await compare(wrk, profile, 'embedded database', {}) }
  const bin = findPostgres()
  if (bin) {
    const postgres = await startPostgres(bin)
    const settings = {
      DATABASE_URL: postgres.url,
      AUTH_SECRET: secret,
    }
    results.postgres = await compare(wrk, profile, 'PostgreSQL', settings)
    await postgres.stop()
  } else print('PostgreSQL not found: skipped.')
  mkdirSync('test-results', { recursive: true })
  writeFileSync('test-results/bench-health.json', `${JSON.stringify(results, null, 2)}\n`)
}

async function compare(wrk, profile, name, database) {
  const bare = await startBareServer()
  const plinth = await startPlinth(database)
  const pairs = await measureInRounds(wrk, { bare, plinth }, profile)
  const result = {
    rate: medianRatio(pairs, 'plinth', 'bare', 'rate'),
    p50: medianRatio(pairs, 'plinth', 'bare', 'p50'),
    p99: medianRatio(pairs, 'plinth', 'bare', 'p99'),
    memory: plinth.memory(),
    pairs,
  }
  await bare.stop()
  await plinth.stop()
  report(profile, name, result)
  if (result.rate < 0.75 || result.p99 >= 2 || result.memory >= 250) process.exitCode = 1
  return result
}

function report({ rounds, seconds }, database, { rate, p50, p99, memory, pairs }) {
  const rates = (name) => Math.round(medianOf(pairs, name, 'rate'))
  print(
    `\nGET /api/health, ${database}: medians of ${rounds} rounds of ${seconds} s, ${connections} connections`,
  )
  print(
    `  requests/s          ${rates('plinth')}, bare ${rates('bare')}: ${rate.toFixed(2)} × (target: ≥ 0.75)`,
  )
  print(`  p50 latency         ${p50.toFixed(2)} × bare`)
  print(`  p99 latency         ${p99.toFixed(2)} × bare (target: < 2)`)
  print(`  memory afterwards   ${memory} MB (target: < 250)`)
}
