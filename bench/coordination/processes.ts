import { setTimeout as pause } from 'node:timers/promises'
import { ChangeLog } from 'plinth/db/change-log'
import type { Connection } from 'plinth/db/client'
import { migrate } from 'plinth/db/migrate/migrate'
import { openPostgres } from 'plinth/db/postgres/postgres'

/** As often as the change log is polled. */
const intervalMs = 50
const changesPerSecond = 20

type Query = Connection['queryPipelined']

const open = (url: string) => openPostgres({ url, poolSize: 1, timeoutMs: 10_000 })

export async function prepare(url: string): Promise<void> {
  const connection = open(url)
  await migrate(connection, [])
  await connection.close()
}

/**
 * Each simulated process has its own connection and follows the change log, or sends `select 1` as
 * often. One more connection writes changes, in both cases.
 */
export async function startProcesses(url: string, kind: string, count: number) {
  const connections = Array.from({ length: count + 1 }, () => open(url))
  const [writer, ...others] = connections
  const state = { running: true, polls: 0 }
  const backends = await Promise.all(others.map(backendOf))
  const follow = kind === 'select 1' ? sendPlainQuery : followChangeLog
  const work = others.map((connection) => {
    const query: Query = (text, values) => {
      state.polls += 1
      return connection.queryPipelined(text, values)
    }
    return follow(query, state)
  })
  work.push(write(writer as Connection, state))
  return {
    /** The processes of PostgreSQL that respond to the polls. */
    backends,
    polls: () => state.polls,
    async stop() {
      state.running = false
      await Promise.all(work)
      await Promise.all(connections.map((connection) => connection.close()))
    },
  }
}

async function backendOf({ queryPipelined }: Connection): Promise<number> {
  const { rows } = await queryPipelined('select pg_backend_pid() as pid', [])
  return (rows as [{ pid: number }])[0].pid
}

type State = { running: boolean }

async function write(connection: Connection, state: State): Promise<void> {
  while (state.running) {
    await connection.query(`select log_change('sbenchmark')`, [])
    await pause(1_000 / changesPerSecond)
  }
}

async function sendPlainQuery(query: Query, state: State): Promise<void> {
  while (state.running) {
    const startedAt = performance.now()
    await query('select 1', [])
    await pause(Math.max(1, intervalMs - (performance.now() - startedAt)))
  }
}

/** The session cache asks at each request, which keeps the polls running. */
async function followChangeLog(query: Query, state: State): Promise<void> {
  const log = new ChangeLog({ apply: () => {}, reset: () => {} }, query)
  while (state.running) {
    log.isCurrent(performance.now())
    await pause(100)
  }
  log.end()
}
