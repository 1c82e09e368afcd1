import { mkdirSync, writeFileSync } from 'node:fs'
import { findPostgres, startPostgres } from '../scripts/services/postgres.mjs'
import { say } from '../scripts/terminal.mjs'
import { connections, findLoadGenerator } from './load.mjs'
import { measureInRounds, medianOf, medianRatio } from './rounds.mjs'
import { secret, startBare, startProduct } from './servers.mjs'

/** `GET /api/health` against a server that does nothing, turn by turn in one run. */
export async function benchHealth(pace) {
  const wrk = await findLoadGenerator()
  const results = { embedded: await compare(wrk, pace, 'embedded database', {}) }
  const bin = findPostgres()
  if (bin) {
    const postgres = await startPostgres(bin)
    const settings = {
      DATABASE_URL: postgres.url,
      AUTH_SECRET: secret,
    }
    results.postgres = await compare(wrk, pace, 'PostgreSQL', settings)
    await postgres.end()
  } else say('PostgreSQL is not installed here: left out.')
  mkdirSync('test-results', { recursive: true })
  writeFileSync('test-results/bench-health.json', `${JSON.stringify(results, null, 2)}\n`)
}

async function compare(wrk, pace, name, database) {
  const bare = await startBare()
  const product = await startProduct(database)
  const pairs = await measureInRounds(wrk, { bare, product }, pace)
  const result = {
    rate: medianRatio(pairs, 'product', 'bare', 'rate'),
    p50: medianRatio(pairs, 'product', 'bare', 'p50'),
    p99: medianRatio(pairs, 'product', 'bare', 'p99'),
    memory: product.memory(),
    pairs,
  }
  await bare.end()
  await product.end()
  report(pace, name, result)
  if (result.rate < 0.75 || result.p99 >= 2 || result.memory >= 250) process.exitCode = 1
  return result
}

function report({ rounds, seconds }, name, { rate, p50, p99, memory, pairs }) {
  const rates = (which) => Math.round(medianOf(pairs, which, 'rate'))
  say(
    `\nGET /api/health, ${name}: medians of ${rounds} rounds of ${seconds} s, ${connections} connections`,
  )
  say(
    `  requests a second   ${rates('product')} of ${rates('bare')} bare: ${rate.toFixed(2)} (wanted: 0.75 or more)`,
  )
  say(`  p50 latency         ${p50.toFixed(2)} × bare`)
  say(`  p99 latency         ${p99.toFixed(2)} × bare (wanted: under 2)`)
  say(`  memory afterwards   ${memory} MB (wanted: under 250)`)
}
