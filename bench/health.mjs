import { mkdirSync, writeFileSync } from 'node:fs'
import { findPostgres, startPostgres } from '../scripts/services/postgres.mjs'
import { say } from '../scripts/terminal.mjs'
import { findLoadGenerator, load, median } from './load.mjs'
import { startBare, startProduct } from './servers.mjs'

const rounds = 9
const seconds = 3

/** `GET /api/health` against a server that does nothing, turn by turn in one run. */
export async function benchHealth() {
  const wrk = await findLoadGenerator()
  const results = { embedded: await compare(wrk, 'embedded database', {}) }
  const bin = findPostgres()
  if (bin) {
    const postgres = await startPostgres(bin)
    const settings = {
      DATABASE_URL: postgres.url,
      AUTH_SECRET: 'only-for-the-benchmark-'.repeat(2),
    }
    results.postgres = await compare(wrk, 'PostgreSQL', settings)
    await postgres.end()
  } else say('PostgreSQL is not installed here: left out.')
  mkdirSync('test-results', { recursive: true })
  writeFileSync('test-results/bench-health.json', `${JSON.stringify(results, null, 2)}\n`)
}

async function compare(wrk, name, database) {
  const bare = await startBare()
  const product = await startProduct(database)
  await load(wrk, bare.url, seconds)
  await load(wrk, product.url, 2 * seconds)
  const pairs = []
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({
      bare: await load(wrk, bare.url, seconds),
      product: await load(wrk, product.url, seconds),
    })
  }
  const result = {
    rate: median(pairs.map((pair) => pair.product.rate / pair.bare.rate)),
    p50: median(pairs.map((pair) => pair.product.p50 / pair.bare.p50)),
    p99: median(pairs.map((pair) => pair.product.p99 / pair.bare.p99)),
    memory: product.memory(),
    pairs,
  }
  await bare.end()
  await product.end()
  report(name, result)
  if (result.rate < 0.75 || result.p99 >= 2 || result.memory >= 250) process.exitCode = 1
  return result
}

function report(name, { rate, p50, p99, memory, pairs }) {
  const rates = (which) => Math.round(median(pairs.map((pair) => pair[which].rate)))
  say(`\nGET /api/health, ${name}: medians of ${rounds} rounds of ${seconds} s, 32 connections`)
  say(
    `  requests a second   ${rates('product')} of ${rates('bare')} bare: ${rate.toFixed(2)} (wanted: 0.75 or more)`,
  )
  say(`  p50 latency         ${p50.toFixed(2)} × bare`)
  say(`  p99 latency         ${p99.toFixed(2)} × bare (wanted: under 2)`)
  say(`  memory afterwards   ${memory} MB (wanted: under 250)`)
}
