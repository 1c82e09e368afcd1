import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { ChangeLog } from '@/core/db/change-log'
import { setConnection } from '@/core/db/client'
import { migrate } from '@/core/db/migrate/migrate'
import { openPostgres } from '@/core/db/postgres/postgres'

/** One simulated process of the benchmark, in a thread. */
const { kind, url } = workerData as { kind: string; url: string }
const intervalMs = 30
const changesPerSecond = 20

const connection = openPostgres({ url, poolSize: 1, timeoutMs: 10_000 })
setConnection(connection)
let running = true
parentPort?.once('message', () => {
  running = false
})

if (kind === 'prepare') await prepare()
else if (kind === 'writer') await write()
else if (kind === 'plain') await pollPlainTable()
else await followChangeLog()
await connection.close()
// The port would keep the thread alive.
if (kind === 'prepare') process.exit()

async function prepare(): Promise<void> {
  await migrate(connection, [])
  await connection.query(
    'create table plain_log (id bigint generated always as identity primary key, change text)',
    [],
  )
}

/** The same changes for both kinds. */
async function write(): Promise<void> {
  parentPort?.postMessage({ started: true })
  while (running) {
    await connection.query(`select log_change('sbenchmark')`, [])
    await connection.query(`insert into plain_log (change) values ('sbenchmark')`, [])
    await pause(1_000 / changesPerSecond)
  }
  parentPort?.postMessage({ current: 1 })
}

async function pollPlainTable(): Promise<void> {
  let last = '0'
  let polls = 0
  while (running) {
    const startedAt = performance.now()
    const { rows } = await connection.queryPipelined(
      'select id, change from plain_log where id > $1 order by id limit 1001',
      [last],
    )
    last = (rows as { id: string }[]).at(-1)?.id ?? last
    if (polls === 0) parentPort?.postMessage({ started: true })
    polls += 1
    await pause(Math.max(1, intervalMs - (performance.now() - startedAt)))
  }
  parentPort?.postMessage({ current: 1 })
}

/** As the session cache does for each request. */
async function followChangeLog(): Promise<void> {
  const log = new ChangeLog({ apply: () => {}, reset: () => {} })
  await log.catchUp()
  parentPort?.postMessage({ started: true })
  let checks = 0
  let current = 0
  while (running) {
    checks += 1
    if (log.isCurrent(performance.now())) current += 1
    await pause(10)
  }
  log.end()
  parentPort?.postMessage({ current: current / checks })
}
