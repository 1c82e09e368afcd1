import { Agent, request } from 'node:http'
import { inRoot } from '../../packages/plinth/scripts/paths.mjs'
import { freePort } from '../../packages/plinth/scripts/services/programs.mjs'
import { print } from '../../packages/plinth/scripts/terminal.mjs'
import { startCluster } from '../database.mjs'
import { secret, startPlinth } from '../servers.mjs'
import { cookieOf } from '../sign-in.mjs'
import { printTable, printTargets } from '../table.mjs'
import { preparePages } from './data.mjs'

const connections = 16
const samples = 16

/** A leak of 100 bytes for each request would be 20 MB. */
const maxLiveGrowth = 20
const maxResidentGrowth = 1.15

/**
 * Memory over 200,000 mixed requests. What is alive after a collection shows a leak; resident memory
 * also contains what the runtime keeps for the next requests.
 */
export async function benchMemory({ name }) {
  const total = name === 'quick' ? 20_000 : 200_000
  const cluster = await startCluster()
  const database = await cluster.createDatabase('memory')
  const probePort = await freePort()
  const plinth = await startPlinth(
    {
      DATABASE_URL: database,
      AUTH_SECRET: secret,
      // On a busy machine a query may take longer than the default.
      DATABASE_TIMEOUT_MS: '20000',
      HEAP_PROBE_PORT: String(probePort),
    },
    { nodeArgs: ['--expose-gc', '--import', inRoot('bench', 'pages', 'heap-probe.mjs')] },
  )
  const probe = async (path) => (await fetch(`http://127.0.0.1:${probePort}${path}`)).json()
  const rows = [['idle', await probe('/now')]]
  const { token, otherPages } = await preparePages(database)
  const send = sender(plinth.origin, cookieOf(token), otherPages)
  let done = 0
  let live
  for (let sample = 1; sample <= samples; sample += 1) {
    await repeat(total / samples, (turn) => send(done + turn))
    done += total / samples
    rows.push([`after ${done.toLocaleString('en')}`, await probe('/now')])
    live ??= await probe('/collected')
  }
  const collected = await probe('/collected')
  rows.push(['after a collection', collected])
  await plinth.stop()
  await cluster.stop()
  report(rows, live, collected)
}

/** Four of ten requests read the session, five render or read lists, and one is anonymous. */
function sender(origin, headers, pages) {
  const kinds = [
    () => ['/api/auth/session', headers],
    () => ['/admin/users', headers],
    () => ['/api/auth/session', headers],
    (turn) => [pages[turn % pages.length], headers],
    () => ['/api/auth/session', headers],
    () => ['/articles', headers],
    () => ['/api/demo/admin/users?limit=50', headers],
    () => ['/account', headers],
    () => ['/api/auth/session', headers],
    (turn) => [turn % 20 ? '/sign-in' : `/no-such-page-${turn}`, {}],
  ]
  return (turn) => {
    const [path, sent] = kinds[turn % kinds.length](turn)
    return get(origin + path, sent)
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: connections })

function get(url, headers) {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      if (response.statusCode >= 500) reject(new Error(`${url} returned ${response.statusCode}.`))
      response.resume().once('end', resolve).once('error', reject)
    })
      .once('error', reject)
      .end()
  })
}

async function repeat(times, send) {
  let turn = 0
  const client = async () => {
    while (turn < times) {
      turn += 1
      await send(turn)
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
}

function report(rows, before, after) {
  print('\nMemory of one process in MB, during mixed requests\n')
  printTable(
    ['', 'resident', 'heap', 'used of it', 'buffers', 'rest'],
    rows.map(([name, { resident, heap, used, external }]) => [
      name,
      ...[resident, heap, used, external, resident - heap - external].map((size) =>
        size.toFixed(0),
      ),
    ]),
  )
  const growth = after.megabytes - before.megabytes
  const resident = rows.map(([, sample]) => sample.resident).slice(1, -1)
  const middle = Math.max(...resident.slice(0, resident.length / 2))
  const ratio = Math.max(...resident.slice(resident.length / 2)) / middle
  print()
  printTargets([
    {
      target: `alive after a collection: ≤ ${maxLiveGrowth} MB more than after the first sample`,
      measured: `${growth.toFixed(1)} MB`,
      met: growth <= maxLiveGrowth,
    },
    {
      target: `most resident in the second half: ≤ ${maxResidentGrowth} × the first`,
      measured: `${ratio.toFixed(2)} ×`,
      met: ratio <= maxResidentGrowth,
    },
  ])
}
