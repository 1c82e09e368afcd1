import { freePort } from '../packages/plinth/scripts/services/programs.mjs'
import { print } from '../packages/plinth/scripts/terminal.mjs'
import { startCluster } from './database.mjs'
import { connections, findLoadGenerator, median } from './load.mjs'
import { measureInRounds, medianOf, medianRatio } from './rounds.mjs'
import { secret, startPlinth } from './servers.mjs'
import { cookieOf, signIn } from './sign-in.mjs'
import { printTable, printTargets } from './table.mjs'

const minRatio = 0.97

/** Ratios near one need more rounds than the other benchmarks. */
const moreRounds = 3

const scrapeIntervalMs = 1_000

/**
 * The session check with metrics on and off, interleaved in one run. Those with metrics are scraped
 * every second. Two equal processes differ by more than metrics cost, so there are two of each kind,
 * and `apart` is how far the two without metrics are from each other.
 */
export async function benchMetrics(profile) {
  const wrk = await findLoadGenerator()
  const cluster = await startCluster()
  const DATABASE_URL = await cluster.createDatabase('plinth_metrics')
  const settings = { DATABASE_URL, AUTH_SECRET: secret }
  const ports = [String(await freePort()), String(await freePort())]
  const [METRICS_PORT, OTHER_PORT] = ports
  const servers = {
    off: await startPlinth(settings),
    on: await startPlinth({ ...settings, METRICS_PORT }),
    onToo: await startPlinth({ ...settings, METRICS_PORT: OTHER_PORT }),
    offToo: await startPlinth(settings),
  }
  const headers = cookieOf(await signIn(DATABASE_URL))
  const subjects = Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [
      name,
      { url: `${server.origin}/api/auth/session`, headers, server },
    ]),
  )
  const scrapes = setInterval(() => ports.map(scrape), scrapeIntervalMs)
  const rounds = await measureInRounds(wrk, subjects, {
    ...profile,
    rounds: profile.rounds * moreRounds,
  })
  clearInterval(scrapes)
  const counted = await Promise.all(ports.map(async (port) => countedIn(await scrape(port))))
  for (const server of Object.values(servers)) await server.stop()
  await cluster.stop()
  report(profile, rounds, counted)
}

async function scrape(port) {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  return response.text()
}

function countedIn(text) {
  const line = /^http_requests_total\{.*"\/api\/auth\/session",status="200"\} (\d+)$/m
  return Number(line.exec(text)?.[1] ?? 0)
}

function report({ rounds: given, seconds }, rounds, counted) {
  print(
    `\nSession check with metrics: medians of ${given * moreRounds} rounds of ${seconds} s, ${connections} connections\n`,
  )
  printTable(
    ['', 'requests/s', 'CPU µs', 'p99 ms'],
    ['off', 'offToo', 'on', 'onToo'].map((name) => [
      name,
      Math.round(medianOf(rounds, name, 'rate')),
      (1000 * medianOf(rounds, name, 'cpu')).toFixed(1),
      medianOf(rounds, name, 'p99').toFixed(2),
    ]),
  )
  const pooled = (figure) =>
    median(
      rounds.map(({ on, onToo, off, offToo }) => {
        return (on[figure] + onToo[figure]) / (off[figure] + offToo[figure])
      }),
    )
  const apart = Math.abs(1 - medianRatio(rounds, 'offToo', 'off'))
  print(`\nCounted requests: ${counted.join(' and ')}. Apart: ${(100 * apart).toFixed(1)} %.`)
  print(`CPU time of a request with metrics: ${pooled('cpu').toFixed(3)} ×\n`)
  const ratio = pooled('rate')
  const met = ratio >= minRatio && counted.every((requests) => requests > 0)
  const target = `with metrics ≥ ${minRatio} × without`
  printTargets([{ target, measured: `${ratio.toFixed(3)} ×`, met }])
}
