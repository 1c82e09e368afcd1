import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { print } from '../packages/plinth/scripts/terminal.mjs'
import { startCluster } from './database.mjs'
import { secret, startPlinth } from './servers.mjs'
import { cookieOf, seedPasswords, signIn } from './sign-in.mjs'
import { printTargets } from './table.mjs'

const seconds = 30
const overloadFactor = 10
const users = 500
const password = 'only-for-the-benchmark'

const maxP99Ms = 50
const maxGrowthMegabytes = 40

/** Ten times as many sign-ins as the cores can hash must not slow down other requests. */
export async function benchOverload() {
  const cluster = await startCluster()
  const url = await cluster.createDatabase('overload')
  const plinth = await startPlinth({ DATABASE_URL: url, AUTH_SECRET: secret, TRUST_PROXY: '1' })
  const token = await signIn(url)
  const capacity = await hashesPerSecond(await seedPasswords(url, users, password))
  const rate = Math.round(overloadFactor * capacity)
  print(
    `\n${rate} sign-ins/s for ${seconds} s, ${overloadFactor} × the hashing capacity of this machine`,
  )

  const overload = startOverload({ origin: plinth.origin, users, password, rate, seconds })
  const session = probe(`${plinth.origin}/api/auth/session`, cookieOf(token), 10, overload)
  const health = probe(`${plinth.origin}/api/health`, {}, 100, overload)
  const memory = measureMemory(plinth, overload)
  const results = {
    signIns: await overload,
    session: await session,
    health: await health,
    memory: await memory,
    running: plinth.isRunning(),
  }
  await plinth.stop()
  await cluster.stop()
  report(results)
}

/** The capacity of this machine without other load. */
export async function hashesPerSecond(hash) {
  const { verify } = await import('@node-rs/argon2')
  const cores = availableParallelism()
  const start = performance.now()
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: cores }, () => verify(hash, password)))
  }
  return (20 * cores * 1000) / (performance.now() - start)
}

/** In a worker thread, so that its own work does not add to the measured latency. */
export function startOverload(workerData) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('overload-worker.mjs', import.meta.url), { workerData })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

/** Sends a request, waits `pauseMs` and repeats until `done` resolves. */
export async function probe(url, headers, pauseMs, done) {
  let running = true
  done.finally(() => {
    running = false
  })
  const latencies = []
  const failures = {}
  while (running) {
    const start = performance.now()
    const status = await fetch(url, { headers }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => 0,
    )
    latencies.push(performance.now() - start)
    if (status !== 200) failures[status] = 1 + (failures[status] ?? 0)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  latencies.sort((one, other) => one - other)
  return { p99: latencies[Math.floor(latencies.length * 0.99)], failures }
}

/** Starts after a third of the time, when all buffers are in use. */
async function measureMemory(plinth, done) {
  await new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / 3))
  const before = plinth.memory()
  await done
  return { before, after: plinth.memory() }
}

function report({ signIns, session, health, memory, running }) {
  const { signedIn, rejected, withoutRetryAfter, other } = signIns
  print(`  ${signedIn} signed in, ${rejected} rejected with 429, other: ${formatCounts(other)}\n`)
  printTargets([
    {
      target: `p99 of the session endpoint ≤ ${maxP99Ms} ms`,
      measured: `${session.p99.toFixed(0)} ms`,
      met: session.p99 <= maxP99Ms,
    },
    noFailures('session endpoint: all 200', session.failures),
    noFailures('health: all 200', health.failures),
    noFailures('sign-in: all 200 or 429', other),
    noFailures('every 429 has Retry-After', withoutRetryAfter ? { 429: withoutRetryAfter } : {}),
    { target: 'some sign-ins succeed', measured: String(signedIn), met: signedIn > 0 },
    {
      target: `memory grows by ≤ ${maxGrowthMegabytes} MB after ten seconds`,
      measured: `${memory.after - memory.before} MB`,
      met: memory.after - memory.before <= maxGrowthMegabytes,
    },
    { target: 'the process keeps running', measured: '', met: running },
  ])
}

function noFailures(target, failures) {
  return { target, measured: formatCounts(failures), met: Object.keys(failures).length === 0 }
}

/** Unexpected status codes and their counts; 0 is a failed connection. */
function formatCounts(failures) {
  const counts = Object.entries(failures).map(([status, count]) => `${count} × ${status}`)
  return counts.join(', ') || 'none'
}
