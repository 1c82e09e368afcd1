import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { say } from '../scripts/terminal.mjs'
import { startCluster } from './database.mjs'
import { cookieOf, seedPasswords, signIn } from './people-signed-in.mjs'
import { secret, startProduct } from './servers.mjs'
import { printAims } from './table.mjs'

const seconds = 30
const times = 10
const people = 500
const password = 'only-for-the-benchmark'

/** In milliseconds, and megabytes. */
const p99AtMost = 50
const growthAtMost = 40

/** Ten times the sign-ins that the cores can hash: everybody else must hardly notice. */
export async function benchOverload() {
  const cluster = await startCluster()
  const url = await cluster.createDatabase('overload')
  const product = await startProduct({ DATABASE_URL: url, AUTH_SECRET: secret, TRUST_PROXY: '1' })
  const token = await signIn(url)
  const capacity = await hashesPerSecond(await seedPasswords(url, people, password))
  const rate = Math.round(times * capacity)
  say(`\nSign-ins at ${rate} a second for ${seconds} s, ${times} × what the cores can hash`)

  const offering = offer({ origin: product.origin, people, password, rate, seconds })
  const session = probe(`${product.origin}/api/auth/session`, cookieOf(token), 10, offering)
  const health = probe(`${product.origin}/api/health`, {}, 100, offering)
  const memory = watchMemory(product, offering)
  const results = {
    answers: await offering,
    session: await session,
    health: await health,
    memory: await memory,
    running: product.isRunning(),
  }
  await product.end()
  await cluster.end()
  report(results)
}

/** What this machine does at its best, with nothing else to do. */
async function hashesPerSecond(hash) {
  const { verify } = await import('@node-rs/argon2')
  const cores = availableParallelism()
  const start = performance.now()
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: cores }, () => verify(hash, password)))
  }
  return (20 * cores * 1000) / (performance.now() - start)
}

/** In a thread of its own, or its work would count as latency of the product. */
function offer(wanted) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('overload-offer.mjs', import.meta.url), {
      workerData: wanted,
    })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

/** Asks again and again, at that pace in milliseconds, until `over`. */
async function probe(url, headers, pace, over) {
  let going = true
  over.finally(() => {
    going = false
  })
  const latencies = []
  const failures = {}
  while (going) {
    const start = performance.now()
    const status = await fetch(url, { headers }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 0,
    )
    latencies.push(performance.now() - start)
    if (status !== 200) failures[status] = 1 + (failures[status] ?? 0)
    await new Promise((resolve) => setTimeout(resolve, pace))
  }
  latencies.sort((one, other) => one - other)
  return { p99: latencies[Math.floor(latencies.length * 0.99)], failures }
}

/** From when all of its buffers are in use to the end. */
async function watchMemory(product, over) {
  await new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / 3))
  const before = product.memory()
  await over
  return { before, after: product.memory() }
}

function report({ answers, session, health, memory, running }) {
  const { signedIn, turnedAway, withoutRetryAfter, other } = answers
  say(`  ${signedIn} signed in, ${turnedAway} turned away, ${listed(other)}\n`)
  printAims([
    {
      aim: `p99 of the session endpoint ≤ ${p99AtMost} ms`,
      measured: `${session.p99.toFixed(0)} ms`,
      reached: session.p99 <= p99AtMost,
    },
    isNothing('session endpoint: all 200', session.failures),
    isNothing('health: all 200', health.failures),
    isNothing('sign-in: all 200 or 429', other),
    isNothing('429 always with Retry-After', withoutRetryAfter ? { 429: withoutRetryAfter } : {}),
    { aim: 'some still get in', measured: String(signedIn), reached: signedIn > 0 },
    {
      aim: `memory grows by ≤ ${growthAtMost} MB after ten seconds`,
      measured: `${memory.after - memory.before} MB`,
      reached: memory.after - memory.before <= growthAtMost,
    },
    { aim: 'the process lives', measured: '', reached: running },
  ])
}

function isNothing(aim, failures) {
  return { aim, measured: listed(failures), reached: Object.keys(failures).length === 0 }
}

/** How often each status came that should not; 0 is no answer at all. */
function listed(failures) {
  const all = Object.entries(failures).map(([status, count]) => `${count} × ${status}`)
  return all.join(', ') || 'nothing else'
}
