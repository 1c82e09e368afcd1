import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { engineProgram, inRoot, root } from '../packages/plinth/scripts/paths.mjs'
import { startProcess } from '../packages/plinth/scripts/processes.mjs'
import { print } from '../packages/plinth/scripts/terminal.mjs'
import { median } from './load.mjs'
import { startPlinth } from './servers.mjs'
import { printTable, printTargets } from './table.mjs'

const batch = 40
const emails = ['viewer@example.com', 'editor@example.com', 'admin@example.com']
const password = 'plinth-demo-1'

const minRatio = 0.5
const databaseMegabytes = 100
const maxWaitMs = 1000

/** Measures the cost of waiting for the disk at each write, and how long requests wait for a backup. */
export async function benchEmbedded({ rounds }) {
  const unsynced = ['--import', inRoot('bench', 'without-sync.mjs')]
  const servers = {
    synced: await startPlinth({ TRUST_PROXY: '1' }),
    unsynced: await startPlinth({ TRUST_PROXY: '1' }, { nodeArgs: unsynced }),
  }
  const measured = { synced: [], unsynced: [] }
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, { origin }] of Object.entries(servers)) {
      const rates = await signInAndOut(origin)
      // The first round warms up.
      if (round > 0) measured[name].push(rates)
    }
  }
  for (const server of Object.values(servers)) await server.stop()
  reportRates(measured, await benchBackup())
}

let clients = 0

/** Each from another IP address, so that no rate limit applies. */
function post(origin, path, body, headers = {}) {
  clients += 1
  const ip = `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`
  return fetch(origin + path, {
    method: 'POST',
    body: JSON.stringify({ redirect: false, ...body }),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': ip, ...headers },
  })
}

/** Both are transactions with an audit event. A sign-in also hashes a password. */
async function signInAndOut(origin) {
  const tokens = []
  const signIns = await ratePerSecond(async (index) => {
    const email = emails[index % emails.length]
    const body = { email, password, transport: 'bearer' }
    const response = await post(origin, '/api/auth/signin', body)
    const { token } = await response.json()
    if (!token) throw new Error(`Sign-in failed with ${response.status}.`)
    tokens.push(token)
  })
  const waits = []
  for (const token of tokens) {
    const sentAt = performance.now()
    const headers = { authorization: `Bearer ${token}` }
    const { status } = await post(origin, '/api/auth/signout', {}, headers)
    if (status !== 200) throw new Error(`Sign-out failed with ${status}.`)
    waits.push(performance.now() - sentAt)
  }
  return { signIns, signOutMs: median(waits) }
}

/** Four at a time. */
async function ratePerSecond(request) {
  const startedAt = performance.now()
  let next = 0
  const work = Array.from({ length: 4 }, async () => {
    while (next < batch) {
      next += 1
      await request(next - 1)
    }
  })
  await Promise.all(work)
  return (batch / (performance.now() - startedAt)) * 1000
}

async function benchBackup() {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const first = await startPlinth({ DATA_DIR: folder })
  await first.stop()
  await fill(join(folder, 'database'))
  const server = await startPlinth({ DATA_DIR: folder })
  const idle = await waitsDuring(server.origin, 3_000)
  const startedAt = performance.now()
  const { child, exited } = startProcess(process.execPath, [engineProgram, 'backup'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: '', DATA_DIR: folder },
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const ended = exited.then(({ code }) => {
    if (code !== 0) throw new Error('npm run backup failed.')
  })
  const backup = await waitsDuring(server.origin, Number.POSITIVE_INFINITY, ended)
  const seconds = (performance.now() - startedAt) / 1000
  await server.stop()
  await rm(folder, { recursive: true, force: true })
  return { idle, backup, seconds, size: /\(([^)]*)\)/.exec(output)?.[1] }
}

async function fill(files) {
  const database = await PGlite.create(files)
  await database.exec(`create table filler as select md5(number::text) as key,
    (select string_agg(md5((number * 100 + part)::text), '') from generate_series(1, 30) as part) as text
    from generate_series(1, ${databaseMegabytes * 1000}) as number`)
  await database.close()
}

/** The waits of requests that query the database, one after another. */
async function waitsDuring(origin, ms, until = new Promise(() => {})) {
  const headers = { authorization: `Bearer ${'x'.repeat(43)}` }
  const startedAt = performance.now()
  const waits = []
  let running = true
  const ended = until.finally(() => {
    running = false
  })
  while (running && performance.now() - startedAt < ms) {
    const sentAt = performance.now()
    const { status } = await fetch(`${origin}/api/auth/session`, { headers })
    if (status !== 200) throw new Error(`A request failed with ${status}.`)
    waits.push(performance.now() - sentAt)
  }
  if (!running) await ended
  waits.sort((left, right) => left - right)
  const at = (part) => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))]
  return { count: waits.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}

function reportRates({ synced, unsynced }, { idle, backup, seconds, size }) {
  const figures = ['signIns', 'signOutMs']
  const rate = (rounds, figure) => median(rounds.map((round) => round[figure]))
  const ratio = (figure) =>
    median(synced.map((round, index) => round[figure] / unsynced[index][figure]))
  print('\nEmbedded database: medians of all rounds')
  printTable(
    ['', 'sign-ins/s', 'sign-out ms'],
    [
      ['synced to disk', ...figures.map((figure) => rate(synced, figure).toFixed(1))],
      ['not synced', ...figures.map((figure) => rate(unsynced, figure).toFixed(1))],
      ['ratio', ...figures.map((figure) => ratio(figure).toFixed(2))],
    ],
  )
  print(
    `\nBackup of ${databaseMegabytes} MB in ${seconds.toFixed(1)} s, ${size}: waits of requests in ms`,
  )
  printTable(
    ['', 'requests', 'p50', 'p99', 'max'],
    Object.entries({ before: idle, 'during the backup': backup }).map(([name, waits]) => [
      name,
      String(waits.count),
      ...['p50', 'p99', 'max'].map((figure) => waits[figure].toFixed(1)),
    ]),
  )
  print('')
  printTargets([
    {
      target: `sign-ins ≥ ${minRatio} × those without syncs`,
      measured: ratio('signIns').toFixed(2),
      met: ratio('signIns') >= minRatio,
    },
    {
      target: `no request waits for ${maxWaitMs} ms during a backup`,
      measured: `${backup.max.toFixed(0)} ms`,
      met: backup.max < maxWaitMs,
    },
  ])
}
