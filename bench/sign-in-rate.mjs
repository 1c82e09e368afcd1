import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { print } from '../packages/plinth/scripts/terminal.mjs'
import { startCluster } from './database.mjs'
import { findLoadGenerator } from './load.mjs'
import { hashesPerSecond, probe, startOverload } from './overload.mjs'
import { installPeers, startPeer } from './peers.mjs'
import { measureInRounds, medianOf, medianRatio } from './rounds.mjs'
import { secret, startPlinth } from './servers.mjs'
import { cookieOf, seedPasswords, signIn, signInScript } from './sign-in.mjs'
import { printTable, printTargets } from './table.mjs'

const users = 500
const password = 'only-for-the-benchmark'
const floodSeconds = 15
const floodFactor = 10

const minRatio = 0.85
const maxP99Ms = 50

/** Sign-ins per second against a plain Hono server, and the session endpoint during a flood of them. */
export async function benchSignInRate(profile) {
  const wrk = await findLoadGenerator()
  await installPeers()
  const cluster = await startCluster()
  const url = await cluster.createDatabase('plinth')
  const plinth = await startPlinth({ DATABASE_URL: url, AUTH_SECRET: secret, TRUST_PROXY: '1' })
  const hash = await seedPasswords(url, users, password)
  const token = await signIn(url)
  const hono = await startPeer('hono-sign-in', await cluster.createDatabase('hono'))
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const script = join(folder, 'sign-in.lua')
  writeFileSync(script, signInScript(users, password))

  const subjects = {
    plinth: { url: `${plinth.origin}/api/auth/signin`, script },
    hono: { url: `${hono.origin}/sign-in`, script },
  }
  const rounds = await measureInRounds(wrk, subjects, profile)
  const rate = Math.round(floodFactor * (await hashesPerSecond(hash)))
  const { origin } = plinth
  const flood = startOverload({ origin, users, password, rate, seconds: floodSeconds })
  const session = await probe(`${origin}/api/auth/session`, cookieOf(token), 10, flood)
  const { signedIn } = await flood

  await plinth.stop()
  await hono.stop()
  await cluster.stop()
  await rm(folder, { recursive: true })
  report(rounds, session, { rate, signedIn })
}

function report(rounds, session, { rate, signedIn }) {
  print('\nSign-ins: medians of all rounds')
  const rows = Object.entries({ plinth: 'Plinth', hono: 'Hono, one query and one insert' })
  printTable(
    ['server', 'sign-ins/s', 'p50 ms', 'p99 ms'],
    rows.map(([name, label]) => [
      label,
      ...['rate', 'p50', 'p99'].map((figure) => medianOf(rounds, name, figure).toFixed(0)),
    ]),
  )
  print(`\n${rate} sign-ins/s for ${floodSeconds} s: ${signedIn} signed in\n`)
  const ratio = medianRatio(rounds, 'plinth', 'hono')
  printTargets([
    {
      target: `sign-ins/s ≥ ${minRatio} × Hono`,
      measured: ratio.toFixed(2),
      met: ratio >= minRatio,
    },
    {
      target: `p99 of the session endpoint < ${maxP99Ms} ms during the flood`,
      measured: `${session.p99.toFixed(0)} ms`,
      met: session.p99 < maxP99Ms && Object.keys(session.failures).length === 0,
    },
  ])
}
