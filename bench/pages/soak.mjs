import { readdirSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { inRoot } from '../../packages/plinth/scripts/paths.mjs'
import { freePort } from '../../packages/plinth/scripts/services/programs.mjs'
import { print } from '../../packages/plinth/scripts/terminal.mjs'
import { startCluster } from '../database.mjs'
import { secret, startPlinth } from '../servers.mjs'
import { cookieOf } from '../sign-in.mjs'
import { printTable, printTargets } from '../table.mjs'
import { preparePages } from './data.mjs'

const paths = ['/admin/users', '/account', '/articles']
const renders = 10_000
const connections = 8
const warmUp = 600
const maxGrowthMegabytes = 20
/** Connections to the database come and go. */
const maxMoreFiles = 5
const settleTimeoutMs = 60_000

/** Renders pages, completely and for clients that leave, and measures what stays in memory. */
export async function benchSoak(profile) {
  const times = profile.name === 'quick' ? renders / 10 : renders
  const cluster = await startCluster()
  const database = await cluster.createDatabase('soak')
  const probePort = await freePort()
  const plinth = await startPlinth(
    {
      DATABASE_URL: database,
      AUTH_SECRET: secret,
      HEAP_PROBE_PORT: String(probePort),
      // Every request is rendered.
      RENDER_CACHE_MB: '0',
    },
    { nodeArgs: ['--expose-gc', '--import', inRoot('bench', 'pages', 'heap-probe.mjs')] },
  )
  const { token } = await preparePages(database)
  const send = (request) => (path, turn) => request(plinth.origin + path, cookieOf(token), turn)
  const measure = () => measureSettled(plinth, `http://127.0.0.1:${probePort}`)

  await repeat(warmUp, send(render))
  await repeat(warmUp, send(abort))
  const samples = { 'after the warm-up': await measure() }
  await repeat(times, send(render))
  samples[`after ${times} renders`] = await measure()
  await repeat(times, send(abort))
  samples[`after ${times} aborted`] = await measure()
  await plinth.stop()
  await cluster.stop()
  report(samples)
}

async function repeat(times, send) {
  let turn = 0
  const client = async () => {
    while (turn < times) {
      turn += 1
      await send(paths[turn % paths.length], turn)
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  agent.destroy()
}

const agent = new Agent({ keepAlive: true, maxSockets: connections })

function render(url, headers) {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} returned ${response.statusCode}.`))
      response.resume().once('end', resolve).once('error', reject)
    }).once('error', reject)
  })
}

/** Half of the clients leave after the first bytes, the others while they wait for them. */
function abort(url, headers, turn) {
  const waitsForBytes = turn % 2 === 0
  return new Promise((resolve) => {
    const request = get(url, { agent: false, headers }, (response) => {
      response.once('data', () => request.destroy()).once('error', () => {})
    })
    request.once('close', resolve).once('error', () => {})
    if (!waitsForBytes) {
      request.once('finish', () => setTimeout(() => request.destroy(), turn % 20))
    }
  })
}

/** The heap and the open files, once the server has let go of the connections that were closed. */
async function measureSettled({ pid }, probe) {
  const deadline = Date.now() + settleTimeoutMs
  let last
  for (;;) {
    const { megabytes, handles } = await (await fetch(probe)).json()
    const sample = { megabytes, handles, files: openFiles(pid) }
    const isSettled = last && sample.files >= last.files && sample.megabytes > last.megabytes - 0.1
    if (isSettled || Date.now() > deadline) return sample
    last = sample
    await new Promise((resolve) => setTimeout(resolve, 2000))
  }
}

function openFiles(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return Number.NaN
  }
}

function report(samples) {
  print('\nSoak: renders of /admin/users, /account and /articles; heap after a full collection\n')
  printTable(
    ['', 'heap MB', 'handles', 'open files'],
    Object.entries(samples).map(([name, { megabytes, handles, files }]) => [
      name,
      megabytes.toFixed(1),
      handles,
      files,
    ]),
  )
  print()
  const [before, ...after] = Object.values(samples)
  const growth = Math.max(...after.map(({ megabytes }) => megabytes)) - before.megabytes
  const moreFiles = after.at(-1).files - before.files
  printTargets([
    {
      target: `the heap grows by ≤ ${maxGrowthMegabytes} MB`,
      measured: `${growth.toFixed(1)} MB`,
      met: growth <= maxGrowthMegabytes,
    },
    {
      target: `≤ ${maxMoreFiles} more open files and sockets`,
      measured: String(moreFiles),
      met: !(moreFiles > maxMoreFiles),
    },
  ])
}
