import { Agent, get } from 'node:http'
import { say } from '../scripts/terminal.mjs'
import { startCluster } from './database.mjs'
import { connections, median } from './load.mjs'
import { cookieOf } from './people-signed-in.mjs'
import { secret, startProduct } from './servers.mjs'
import { seedSessions, tokenOf } from './sessions.mjs'
import { printAims } from './table.mjs'

const sessions = 100_000
const atMost = 120

const processes = 3

/**
 * What a hundred thousand sessions in use take of the memory of the process. How much of it waits
 * to be collected is a matter of luck, so several processes are looked at and the median counts.
 */
export async function benchCacheMemory() {
  const cluster = await startCluster()
  const database = await cluster.createDatabase('cache_memory')
  const seen = []
  for (let turn = 0; turn < processes; turn += 1) seen.push(await fill(database, turn === 0))
  await cluster.end()
  const taken = median(seen)
  say(`\nMemory with ${sessions.toLocaleString('en-GB')} sessions asked for\n`)
  printAims([
    {
      aim: `under ${atMost} MB above an idle process, median of ${seen.join(', ')}`,
      measured: `${taken} MB`,
      reached: taken < atMost,
    },
  ])
}

async function fill(database, isNew) {
  const product = await startProduct({ DATABASE_URL: database, AUTH_SECRET: secret })
  if (isNew) await seedSessions(database, sessions)
  // One session, many times: a process that has worked and rests is what is compared with.
  await askInTurn(product.origin, sessions / 5, () => 1)
  const idle = await settled(product)
  await askInTurn(product.origin, sessions, (turn) => turn)
  const after = await settled(product)
  await product.end()
  return after - idle
}

async function askInTurn(origin, times, sessionOf) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let turn = 0
  const caller = async () => {
    while (turn < times) {
      turn += 1
      const status = await ask(agent, origin, cookieOf(tokenOf(sessionOf(turn))))
      if (status !== 200) throw new Error(`A session was answered with ${status}.`)
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  agent.destroy()
}

function ask(agent, origin, headers) {
  return new Promise((resolve, reject) => {
    get(`${origin}/api/auth/session`, { agent, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode))
    }).once('error', reject)
  })
}

/** The least of some seconds: what is given back takes a while to be. */
async function settled(product) {
  const seen = []
  for (let look = 0; look < 10; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    seen.push(product.memory())
  }
  return Math.min(...seen)
}
