import { Agent, get } from 'node:http'
import { print } from '../packages/plinth/scripts/terminal.mjs'
import { startCluster } from './database.mjs'
import { connections, median } from './load.mjs'
import { seedSessions, tokenOf } from './seed-sessions.mjs'
import { secret, startPlinth } from './servers.mjs'
import { cookieOf } from './sign-in.mjs'
import { printTargets } from './table.mjs'

const sessions = 100_000
const maxMegabytes = 120
const processes = 3

/**
 * The memory that a hundred thousand cached sessions take. Garbage that is not collected yet varies,
 * so the result is the median of several processes.
 */
export async function benchCacheMemory() {
  const cluster = await startCluster()
  const database = await cluster.createDatabase('cache_memory')
  const samples = []
  for (let run = 0; run < processes; run += 1) samples.push(await measure(database, run === 0))
  await cluster.stop()
  const growth = median(samples)
  print(`\nMemory with ${sessions.toLocaleString('en-US')} cached sessions\n`)
  printTargets([
    {
      target: `< ${maxMegabytes} MB above an idle process, median of ${samples.join(', ')}`,
      measured: `${growth} MB`,
      met: growth < maxMegabytes,
    },
  ])
}

async function measure(database, isFirst) {
  const plinth = await startPlinth({ DATABASE_URL: database, AUTH_SECRET: secret })
  if (isFirst) await seedSessions(database, sessions)
  // The baseline is a warmed-up process: many requests with a single session.
  await requestInTurn(plinth.origin, sessions / 5, () => 1)
  const idle = await settledMemory(plinth)
  await requestInTurn(plinth.origin, sessions, (turn) => turn)
  const after = await settledMemory(plinth)
  await plinth.stop()
  return after - idle
}

async function requestInTurn(origin, times, sessionFor) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let turn = 0
  const client = async () => {
    while (turn < times) {
      turn += 1
      const status = await getSession(agent, origin, cookieOf(tokenOf(sessionFor(turn))))
      if (status !== 200) throw new Error(`The session endpoint returned ${status}.`)
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  agent.destroy()
}

function getSession(agent, origin, headers) {
  return new Promise((resolve, reject) => {
    get(`${origin}/api/auth/session`, { agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    }).once('error', reject)
  })
}

/** The minimum of ten seconds: the process returns memory with a delay. */
async function settledMemory(plinth) {
  const samples = []
  for (let second = 0; second < 10; second += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    samples.push(plinth.memory())
  }
  return Math.min(...samples)
}
